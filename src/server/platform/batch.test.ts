import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batched } from './batch.ts'

/** Look-ups that a test ends itself. `sent` has the keys of each batch. */
function aLookUp() {
  const sent: number[][] = []
  let gathered = 0
  let [batch, gathering] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const find = batched<number, string>(
    async (keys) => {
      sent.push(keys)
      await batch.promise
      return keys.map(String)
    },
    {
      name: 'test',
      sizeMax: 8,
      gather() {
        gathered++
        return gathering.promise
      },
    },
  )
  /** Ends the running batch, and waits until the next one was sent or is gathered. */
  async function answer(): Promise<void> {
    batch.resolve()
    batch = Promise.withResolvers()
    await nextTurn()
  }
  async function endGathering(): Promise<void> {
    gathering.resolve()
    gathering = Promise.withResolvers()
    await nextTurn()
  }
  return { find, sent, answer, endGathering, gathered: () => gathered }
}

test('after a crowd, the next batch is gathered; every key gets its own value', async () => {
  const { find, sent, answer, endGathering } = aLookUp()
  const found = [1, 2, 3, 4].map(find)
  await nextTurn()
  found.push(find(5))
  await answer()
  expect(sent).toEqual([[1, 2, 3, 4]])
  found.push(find(6))
  await endGathering()
  expect(sent).toEqual([
    [1, 2, 3, 4],
    [5, 6],
  ])
  await answer()
  expect(await Promise.all(found)).toEqual(['1', '2', '3', '4', '5', '6'])
})

test('a few calls, a full batch and the first call after a crowd are sent at once', async () => {
  const { find, sent, answer, gathered } = aLookUp()
  const crowd = [1, 2, 3].map(find)
  await nextTurn()
  crowd.push(find(4))
  await answer()
  expect(sent).toEqual([[1, 2, 3], [4]])
  await answer()
  crowd.push(...[5, 6, 7, 8].map(find))
  await nextTurn()
  crowd.push(...[11, 12, 13, 14, 15, 16, 17, 18].map(find))
  await answer()
  expect(sent.at(-1)).toHaveLength(8)
  await answer()
  crowd.push(find(21))
  await nextTurn()
  expect(sent.at(-1)).toEqual([21])
  await answer()
  await Promise.all(crowd)
  expect(gathered()).toBe(0)
})
