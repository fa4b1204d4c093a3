import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('callers continue in order, and only a few in each turn of the event loop', async () => {
  const turn = createTurns()
  const done: number[] = []
  for (let at = 0; at < 100; at++) void turn().then(() => done.push(at))
  await nextTurn()
  await nextTurn()
  expect(done.length).toBeGreaterThan(0)
  expect(done.length).toBeLessThan(10)
  await turn()
  expect(done).toEqual(Array.from({ length: 100 }, (_, at) => at))
})

test('the queue is bounded', async () => {
  const turn = createTurns()
  const waiting = Array.from({ length: 5_000 }, () => turn())
  expect(() => turn()).toThrow('very busy')
  await Promise.all(waiting)
  await turn()
})
