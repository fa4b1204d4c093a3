import { connect } from 'node:net'
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'

/** Reads a stream of events with a library and collects its messages. */
export async function openPage(url: string, headers: Record<string, string> = {}) {
  const heard: EventSourceMessage[] = []
  const retries: number[] = []
  const ending = new AbortController()
  const reply = await fetch(url, { headers, signal: ending.signal })
  const parsed = reply.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onRetry: (ms) => retries.push(ms), onError: 'terminate' }))
  const collect = async () => {
    for await (const message of parsed ?? []) heard.push(message)
  }
  const ended = collect().catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
  })
  const stop = () => {
    ending.abort()
    return ended
  }
  return { heard, topics: () => heard.map(({ event }) => event), retries, reply, stop, ended }
}

/** Sends a request as it is. Nothing is read from the connection before `read` is called. */
export function openSocket(url: string, request: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {}).pause()
  socket.write(request)
  let text = ''
  return {
    socket,
    text: () => text,
    read(): void {
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk
      })
      socket.resume()
    },
  }
}
