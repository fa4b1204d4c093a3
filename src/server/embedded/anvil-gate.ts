import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { StartError } from '../platform/start-error.ts'

export type Gate = {
  url: string
  /** Forwards requests to the node at this port from now on. */
  open: (port: number) => void
  /** Waits for running requests to end and queues new ones. */
  hold: () => Promise<void>
  close: () => Promise<void>
}

type Answer = { status: number; text: string }

/** How long a request is retried. A dead node is detected and replaced well within this time. */
const RETRY_MS_MAX = 20_000
const RETRY_PAUSE_MS = 250

/** A proxy with a fixed address for a node that is replaced now and then. Requests wait instead of failing. */
export async function startGate(port: number): Promise<Gate> {
  let opened = Promise.withResolvers<number>()
  let isOpen = false
  const running = new Set<Promise<unknown>>()

  function track<Result>(work: Promise<Result>): Promise<Result> {
    running.add(work)
    return work.finally(() => running.delete(work))
  }

  async function forward(body: Buffer<ArrayBuffer>): Promise<Answer> {
    const deadline = Date.now() + RETRY_MS_MAX
    for (;;) {
      const target = await opened.promise
      try {
        return await track(send(target, body))
      } catch (error) {
        if (Date.now() > deadline) return { status: 502, text: JSON.stringify({ error: String(error) }) }
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS))
      }
    }
  }

  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    if (!body) return response.destroy()
    const { status, text } = await forward(body as Buffer<ArrayBuffer>)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => reject(new StartError(`Port ${port} for the development chain is taken.`)))
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`,
    open(target) {
      opened.resolve(target)
      isOpen = true
    },
    async hold() {
      if (isOpen) opened = Promise.withResolvers()
      isOpen = false
      await Promise.allSettled(running)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function send(port: number, body: Buffer<ArrayBuffer>): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })
  return { status: reply.status, text: await reply.text() }
}
