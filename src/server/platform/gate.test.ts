import { expect, test } from 'vitest'
import { createGate } from './gate.ts'

const LIMITS = { inFlightMax: 3, waitingPerCallerMax: 2, waitingMax: 4, waitingMsMax: 60_000 }
const refused = { code: 'rate_limited' }

/**
 * Work that lasts until it is finished. `running` lists the callers whose work has begun and not ended. Each test finishes
 * all of it: a caller who still waits would be refused a minute later, during another test.
 */
function createWork() {
  const ends = new Map<string, () => void>()
  const work = (caller: string) => () => new Promise<void>((resolve) => ends.set(caller, resolve))
  const finish = (caller: string) => {
    ends.get(caller)?.()
    ends.delete(caller)
  }
  const finishAll = async () => {
    for (; ends.size > 0; await new Promise(setImmediate)) for (const caller of [...ends.keys()]) finish(caller)
  }
  return { work, finish, finishAll, running: () => [...ends.keys()] }
}

test('all callers together have only so many places, and the next one starts when a place is free', async () => {
  const gate = createGate(LIMITS)
  const { work, finish, finishAll, running } = createWork()
  const callers = ['a', 'b', 'c', 'd', 'e']
  const ended = callers.map((caller) => gate(caller, work(caller)))
  await Promise.resolve()
  expect(running()).toEqual(['a', 'b', 'c'])
  finish('b')
  await ended[1]
  await Promise.resolve()
  expect(running()).toEqual(['a', 'c', 'd'])
  await finishAll()
  await Promise.all(ended)
})

test('a failed piece of work frees its place', async () => {
  const gate = createGate({ ...LIMITS, inFlightMax: 1 })
  await expect(gate('a', () => Promise.reject(new Error('the node is down')))).rejects.toThrow('the node is down')
  expect(await gate('b', async () => 'done')).toBe('done')
})

test('a caller who waits too often is refused, and so is everyone once the queue is full', async () => {
  const gate = createGate(LIMITS)
  const { work, finishAll } = createWork()
  const ended = ['a', 'a', 'a'].map((caller) => gate(caller, work(caller)))
  await expect(gate('a', work('a'))).rejects.toMatchObject(refused)
  ended.push(...['b', 'c', 'd', 'e'].map((caller) => gate(caller, work(caller))))
  await expect(gate('f', work('f'))).rejects.toMatchObject(refused)
  await finishAll()
  await Promise.all(ended)
})

test('a caller who waits too long is refused, and does not run later', async () => {
  const gate = createGate({ ...LIMITS, inFlightMax: 1, waitingMsMax: 10 })
  const { work, finish, running } = createWork()
  const first = gate('a', work('a'))
  await expect(gate('b', work('b'))).rejects.toThrow('took too long')
  finish('a')
  await first
  expect(running()).toEqual([])
  expect(await gate('c', async () => 'done')).toBe('done')
})
