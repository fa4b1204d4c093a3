import { expect, test } from 'vitest'
import { metricsText } from './metrics.ts'
import { createWaiting } from './waiting.ts'

const PER_ROUND = 2
const refusal = { code: 'unavailable', retryAfterSeconds: 1 }

/** A queue that knows how long a batch takes. */
async function aQueue(name: string, limits: { expectedMsMax?: number; waitedMsMax?: number }) {
  const queue = createWaiting<string, string>(name, PER_ROUND, limits)
  await queue.run(() => new Promise((resolve) => setImmediate(resolve)))
  return queue
}
const figure = async (name: string, queue: string) =>
  new RegExp(`^wellplay_batch_queue_${name}\\{queue="${queue}"\\} (.*)$`, 'm').exec(await metricsText())?.[1]

test('an item is refused when it arrives if the batches before it take too long, and never if it fits the next ones', async () => {
  const queue = await aQueue('arrival', { expectedMsMax: 0 })
  const accepted = [queue.add('a'), queue.add('b')]
  expect(queue.isCrowded()).toBe(true)
  await expect(queue.add('c')).rejects.toMatchObject(refusal)
  const [first, ...others] = queue.take(1)
  expect([first?.item, others]).toEqual(['a', []])
  first?.resolve('done')
  expect(await accepted[0]).toBe('done')
  expect(queue.isCrowded()).toBe(false)
  void queue.add('d')
  expect(queue.take(PER_ROUND).map(({ item }) => item)).toEqual(['b', 'd'])
})

test('batches that are fast enough admit any number', async () => {
  const queue = await aQueue('fast', { expectedMsMax: Number.POSITIVE_INFINITY })
  for (let item = 0; item < 100 * PER_ROUND; item++) void queue.add(String(item))
  expect(queue.size()).toBe(100 * PER_ROUND)
  // What is left in the queue would be refused later, during another test.
  expect(queue.take(queue.size())).toHaveLength(100 * PER_ROUND)
})

test('an item that waited too long is refused, and is in no later batch', async () => {
  const queue = await aQueue('late', { waitedMsMax: 10 })
  await expect(queue.add('a')).rejects.toMatchObject(refusal)
  expect(queue.take(PER_ROUND)).toEqual([])
  const later = queue.add('b')
  expect(queue.take(PER_ROUND).map(({ item }) => item)).toEqual(['b'])
  void later
})

test('an item that does not fit keeps its place', async () => {
  const queue = await aQueue('places', {})
  for (const item of ['a1', 'a2', 'b1']) void queue.add(item)
  const firsts = new Set<string>()
  const isNew = (item: string) => {
    const { size } = firsts
    return firsts.add(item.slice(0, 1)).size > size
  }
  expect(queue.take(3, isNew).map(({ item }) => item)).toEqual(['a1', 'b1'])
  expect(queue.take(3).map(({ item }) => item)).toEqual(['a2'])
})

test('the metrics show how many items wait, how long the oldest has waited, and how many were refused', async () => {
  const queue = await aQueue('figures', { expectedMsMax: 0 })
  expect(await figure('refused_total', 'figures')).toBe('0')
  void queue.add('a')
  void queue.add('b')
  await expect(queue.add('c')).rejects.toMatchObject(refusal)
  expect(await figure('items', 'figures')).toBe('2')
  expect(Number(await figure('oldest_seconds', 'figures'))).toBeGreaterThan(0)
  expect(await figure('refused_total', 'figures')).toBe('1')
  queue.take(2)
  expect(await figure('items', 'figures')).toBe('0')
  expect(await figure('oldest_seconds', 'figures')).toBe('0')
})
