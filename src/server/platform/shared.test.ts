import { expect, test } from 'vitest'
import { createShared } from './shared.ts'

/** Reads that finish only when the test says so. */
function slowReads() {
  const reads: PromiseWithResolvers<string>[] = []
  const read = () => {
    const next = Promise.withResolvers<string>()
    reads.push(next)
    return next.promise
  }
  return { reads, read }
}

test('callers during a read share it, and later callers get its value until it is too old', async () => {
  let now = 0
  const shared = createShared<string>({ ageMsMax: 1_000, nowMs: () => now })
  const { reads, read } = slowReads()
  const waiting = Array.from({ length: 200 }, () => shared.get('', read))
  now = 5_000
  expect(reads).toHaveLength(1)
  reads[0]?.resolve('first')
  expect(new Set((await Promise.all(waiting)).map(({ value }) => value))).toEqual(new Set(['first']))
  expect(await waiting[0]).toEqual({ value: 'first', ageMs: 5_000 })
  // The read took longer than a value may be old, so the next caller reads again.
  const second = shared.get('', read)
  reads[1]?.resolve('second')
  await second
  now = 5_999
  expect(await shared.get('', read)).toEqual({ value: 'second', ageMs: 999 })
  now = 6_000
  void shared.get('', read)
  expect(reads).toHaveLength(3)
})

test('a failed read is not kept', async () => {
  const shared = createShared<string>()
  await expect(shared.get('', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect((await shared.get('', async () => 'up')).value).toBe('up')
})

test('a read that began before the values were cleared is not given to later callers', async () => {
  const shared = createShared<string>()
  const { reads, read } = slowReads()
  const early = shared.get('', read)
  shared.clear()
  const late = shared.get('', read)
  reads[1]?.resolve('new')
  reads[0]?.resolve('old')
  expect((await early).value).toBe('old')
  expect((await late).value).toBe('new')
  expect((await shared.get('', read)).value).toBe('new')
})

test('only so many keys are kept, and the oldest is forgotten first', async () => {
  const shared = createShared<number>({ keysMax: 3 })
  let reads = 0
  for (let key = 0; key < 1_000; key++) await shared.get(String(key), async () => ++reads)
  for (const key of ['999', '998', '997']) await shared.get(key, async () => ++reads)
  expect(reads).toBe(1_000)
  await shared.get('996', async () => ++reads)
  expect(reads).toBe(1_001)
})
