import { useEffect } from 'react'
import { readStoredUser } from './stored-user.ts'

type Listener = (data: unknown) => void

const listeners = new Map<string, Set<Listener>>()
const RECONNECT_MS = 2_000
let running = false

/** Runs `listener` when the server tells of `topic` ('round', 'balance', 'withdrawal', …; 'resync' after a gap). */
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
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
    tell('resync', {})
  }
}

async function readStream(): Promise<void> {
  const token = readStoredUser()?.token
  const reply = await fetch('/api/events/', { headers: token ? { Token: token } : {} })
  if (!reply.ok || !reply.body) return
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    const messages = text.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) dispatch(message)
  }
}

function dispatch(message: string): void {
  const field = (name: string) =>
    message
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  const topic = field('event')
  if (topic) tell(topic, JSON.parse(field('data') ?? '{}'))
}

function tell(topic: string, data: unknown): void {
  for (const listener of listeners.get(topic) ?? []) listener(data)
}
