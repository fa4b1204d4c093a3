import type { AddressInfo } from 'node:net'
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser, createTestApi, type TestApi } from '../testing/api.ts'
import { publish } from './events.ts'

let api: TestApi
let address: string
beforeAll(async () => {
  api = await createTestApi()
  await api.http.listen({ port: 0 })
  address = `http://127.0.0.1:${(api.http.server.address() as AddressInfo).port}/api/events/`
})
afterAll(() => api.close())

const isListening = async () => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and state = 'idle' and query like 'listen %'`.execute(
    api.context.db,
  )
  return rows.length > 0
}

/** Reads the stream with a library and collects its messages. */
async function listen(headers: Record<string, string>) {
  const heard: EventSourceMessage[] = []
  const retries: number[] = []
  const ending = new AbortController()
  const reply = await fetch(address, { headers, signal: ending.signal })
  const parsed = reply.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onRetry: (ms) => retries.push(ms), onError: 'terminate' }))
  const collect = async () => {
    for await (const message of parsed ?? []) heard.push(message)
  }
  const ended = collect().catch((error: Error) => expect(error.name).toBe('AbortError'))
  const stop = () => {
    ending.abort()
    return ended
  }
  return { heard, retries, reply, stop }
}

test('a stream carries public events and your own, in the standard format', async () => {
  const [anna, ben] = [await aUser(api), await aUser(api)]
  await expect.poll(isListening).toBe(true)
  const streams = await Promise.all([
    listen({ Token: anna.token }),
    listen({ Authorization: `DPoP ${ben.token}` }),
    listen({}),
  ])
  const data = { text: 'two\nlines: and a colon', number: 1 }
  await publish(
    api.context.db,
    { topic: 'balance', user: anna.number },
    { topic: 'balance', user: ben.number },
    { topic: 'round', data },
  )
  const round = { event: 'round', data: JSON.stringify(data), id: undefined }
  const balance = { event: 'balance', data: '{}', id: undefined }
  for (const [{ heard, retries, reply }, own] of streams.map(
    (stream, at) => [stream, at < 2 ? [balance] : []] as const,
  )) {
    await expect.poll(() => heard).toEqual([...own, round])
    expect(retries).toEqual([2_000])
    expect(reply.headers.get('content-type')).toBe('text/event-stream')
  }
  await Promise.all(streams.map(({ stop }) => stop()))
})
