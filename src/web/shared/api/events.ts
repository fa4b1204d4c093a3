import { EventSourceParserStream } from 'eventsource-parser/stream'
import { useEffect } from 'react'
import { readStoredUser } from './stored-user.ts'

type Listener = (data: unknown) => void

const listeners = new Map<string, Set<Listener>>()
/** Delay before reconnecting; the server can change it. */
let reconnectMs = 2_000
let running = false
/** Set while events may have been missed: after a lost connection, or when the first attempt failed. */
let isBehind = false

/** Runs `listener` for each event of `topic` ('round', 'balance', …; 'resync' if some may have been missed). */
export function useEvent(topic: string, listener: Listener): void {
  useEffect(() => {
    const set = listeners.get(topic) ?? new Set()
    listeners.set(topic, set.add(listener))
    void start()
    return () => {
      set.delete(listener)
    }
  }, [topic, listener])
}

// EventSource cannot send the Token header and a token never goes into a URL, so the stream is read with fetch.
async function start(): Promise<void> {
  if (running) return
  running = true
  for (;;) {
    await readStream().catch(() => {})
    isBehind = true
    await new Promise((resolve) => setTimeout(resolve, reconnectMs))
  }
}

async function readStream(): Promise<void> {
  const token = readStoredUser()?.token
  const reply = await fetch('/api/events/', { headers: token ? { Token: token } : {} })
  if (!reply.ok || !reply.body) return
  // Not before the server answers: refetching during an outage would hide the errors that the pages show.
  if (isBehind) dispatch('resync', {})
  isBehind = false
  const onRetry = (ms: number) => {
    reconnectMs = ms
  }
  const messages = reply.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onRetry }))
    .getReader()
  for (;;) {
    const { done, value } = await messages.read()
    if (done) return
    if (value.event) dispatch(value.event, JSON.parse(value.data))
  }
}

function dispatch(topic: string, data: unknown): void {
  for (const listener of listeners.get(topic) ?? []) listener(data)
}
