import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startLoops } from './loops.ts'

function captureLog() {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(JSON.parse(String(chunk)).msg))
      done()
    },
  })
  return { log: pino({ level: 'info' }, stream), lines }
}

test('a loop that throws does not stop the others, and is logged once until it works again', async () => {
  const { log, lines } = captureLog()
  let [tries, steps] = [0, 0]
  const shaky = async () => {
    if (++tries <= 2) throw new Error('not yet')
  }
  const steady = async () => void steps++
  const loops = startLoops(
    [
      { name: 'shaky', restMs: 1, run: shaky },
      { name: 'steady', restMs: () => 1, run: steady },
    ],
    log,
  )
  await expect.poll(() => tries).toBeGreaterThan(3)
  await loops.stop()
  expect(steps).toBeGreaterThan(3)
  expect(lines).toEqual(['loop failed', 'loop works again'])
})

test('stop waits for running work and starts no more', async () => {
  const { log } = captureLog()
  const [started, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let ended = 0
  const run = async () => {
    started.resolve()
    await mayEnd.promise
    ended++
  }
  const loops = startLoops([{ name: 'slow', restMs: 0, run }], log)
  await started.promise
  const stopped = loops.stop().then(() => ended)
  mayEnd.resolve()
  expect(await stopped).toBe(1)
  expect(ended).toBe(1)
})
