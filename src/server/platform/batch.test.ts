import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batched } from './batch.ts'

/** Look-ups that a test ends itself. `sent` has the keys of each batch. */
function aLookUp() {
  const sent: number[][] = []
  let batch = Promise.withResolvers<void>()
  const find = batched<number, string>(
    async (keys) => {
      sent.push(keys)
      await batch.promise
      return keys.map(String)
    },
    { name: 'test', sizeMax: 4 },
  )
  /** Ends the running batch, and waits until the next one was sent. */
  async function answer(): Promise<void> {
    batch.resolve()
    batch = Promise.withResolvers()
    await nextTurn()
  }
  return { find, sent, answer }
}

test('keys that come while a batch runs share the next ones, and every key gets its own value', async () => {
  const { find, sent, answer } = aLookUp()
  const found = [1, 2].map(find)
  await nextTurn()
  found.push(...[3, 4, 5, 6, 7].map(find))
  await answer()
  expect(sent).toEqual([
    [1, 2],
    [3, 4, 5, 6],
  ])
  await answer()
  expect(sent.at(-1)).toEqual([7])
  await answer()
  expect(await Promise.all(found)).toEqual(['1', '2', '3', '4', '5', '6', '7'])
})

test('a call that is alone is sent at once, also after a crowd', async () => {
  const { find, sent, answer } = aLookUp()
  const crowd = [1, 2, 3, 4].map(find)
  await nextTurn()
  await answer()
  await Promise.all(crowd)
  const alone = find(5)
  await nextTurn()
  expect(sent.at(-1)).toEqual([5])
  await answer()
  expect(await alone).toBe('5')
})
