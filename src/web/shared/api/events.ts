import { EventSourceParserStream } from 'eventsource-parser/stream'
import { useEffect } from 'react'
import { publicTopics } from '../../../protocol/events.ts'
import { readStoredUser } from './stored-user.ts'

type Listener = (data: unknown) => void
/** The public topics that a page needs, and its session. */
type Wish = { topics: string[]; token: string | undefined }
type Stream = { wish: Wish; messages: ReadableStreamDefaultReader<Message>; close: () => void }
type Message = { event?: string | undefined; data: string }

const listeners = new Map<string, Set<Listener>>()
/** Delay before reconnecting; the server can change it. */
let reconnectMs = 2_000
/** Delay before the stream is replaced, when the pages need other topics. */
const REPLACE_MS = 200
let running = false
/** Set while events may have been missed: after a lost connection, or when the first attempt failed. */
let isBehind = false
/** The stream whose events are dispatched. */
let current: Stream | undefined
let isReplacing = false

/** Runs `listener` for each event of `topic` ('round', 'balance', …; 'resync' if some may have been missed). */
export function useEvent(topic: string, listener: Listener): void {
  useEffect(() => {
    const set = listeners.get(topic) ?? new Set()
    listeners.set(topic, set.add(listener))
    void start()
    replaceLater()
    return () => {
      set.delete(listener)
      replaceLater()
    }
  }, [topic, listener])
}

async function start(): Promise<void> {
  if (running) return
  running = true
  // The other effects of the same page name more topics.
  await new Promise((resolve) => setTimeout(resolve))
  for (;;) {
    await readStreams().catch(() => {})
    isBehind = true
    await new Promise((resolve) => setTimeout(resolve, reconnectMs))
  }
}

/** Reads until the current stream ends. It may be another one by then. */
async function readStreams(): Promise<void> {
  current = await open()
  // Not before the server answers: refetching during an outage would hide the errors that the pages show.
  if (current && isBehind) dispatch('resync', {})
  isBehind = false
  while (current) {
    const stream: Stream = current
    const message = await readMessage(stream)
    if (stream !== current) continue
    if (message?.event) dispatch(message.event, JSON.parse(message.data))
    if (!message) current = undefined
  }
}

/** The next message; undefined when the stream has ended. */
const readMessage = ({ messages }: Stream): Promise<Message | undefined> =>
  messages.read().then(
    ({ value }) => value,
    () => undefined,
  )

/** Rare events that nearly every page shows. They are always asked for, so that the stream stays open between pages. */
const ALWAYS = ['halt', 'terms']
/** What the open pages need now. Most of them do not need every round, for example. */
const wishNow = (): Wish => ({
  topics: publicTopics.filter((topic) => ALWAYS.includes(topic) || listeners.get(topic)?.size),
  token: readStoredUser()?.token,
})
/** Whether a stream that was opened for `a` has all events of `b`. */
const covers = (a: Wish, b: Wish) => a.token === b.token && b.topics.every((topic) => a.topics.includes(topic))
const isOpenFor = (wish: Wish) => current && covers(current.wish, wish) && covers(wish, current.wish)

// EventSource cannot send the Token header and a token never goes into a URL, so the stream is read with fetch.
async function open(): Promise<Stream | undefined> {
  const wish = wishNow()
  const closing = new AbortController()
  const headers = wish.token ? { Token: wish.token } : {}
  // The page's own reads are more urgent than news.
  const reply = await fetch(`/api/events/?topics=${wish.topics}`, { headers, signal: closing.signal, priority: 'low' })
  if (!reply.ok || !reply.body) return undefined
  const onRetry = (ms: number) => {
    reconnectMs = ms
  }
  const messages = reply.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onRetry }))
    .getReader()
  return { wish, messages, close: () => closing.abort() }
}

/** Waits for the effects of the page that comes next: it may need the same topics. */
function replaceLater(ms = REPLACE_MS): void {
  if (isReplacing) return
  isReplacing = true
  setTimeout(async () => {
    await replace().catch(() => {})
    isReplacing = false
    // Refused, or the topics changed again in the meantime.
    if (current && !isOpenFor(wishNow())) replaceLater(reconnectMs)
  }, ms)
}

/** Opens the next stream before it closes the current one, so that no event is missed in between. */
async function replace(): Promise<void> {
  const before = current
  if (!before || isOpenFor(wishNow())) return
  const next = await open()
  if (!next || current !== before) return next?.close()
  current = next
  before.close()
  // A page read its figures before it heard these events.
  if (!covers(before.wish, next.wish)) dispatch('resync', {})
}

function dispatch(topic: string, data: unknown): void {
  for (const listener of listeners.get(topic) ?? []) listener(data)
}
