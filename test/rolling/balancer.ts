import { Agent, createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const CHECK_MS = 200
const CHECK_MS_MAX = 2_000

type Balancer = { port: number; uses(port: number): boolean; stop(): Promise<void> }

/** Sends each request to a server that was ready at the last check. It keeps connections open, and never retries. */
export async function startBalancer(ports: number[]): Promise<Balancer> {
  const ready = new Set<number>()
  const agent = new Agent({ keepAlive: true })
  const ending = new AbortController()
  let turn = 0

  // One check at a time: a late answer to an earlier one would bring back a server that is going away.
  async function keepChecking(port: number): Promise<void> {
    while (!ending.signal.aborted) {
      if (await isReady(port)) ready.add(port)
      else ready.delete(port)
      await sleep(CHECK_MS)
    }
  }
  const checks = ports.map(keepChecking)
  const server = createServer((incoming, outgoing) => {
    const { url, method, headers } = incoming
    const port = [...ready][turn++ % ready.size]
    if (port === undefined) return void outgoing.writeHead(503).end()
    const forwarded = sendRequest({ host: '127.0.0.1', port, path: url, method, headers, agent }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.on('error', () => outgoing.destroy())
      reply.pipe(outgoing)
    })
    forwarded.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    uses: (port) => ready.has(port),
    async stop() {
      ending.abort()
      await Promise.all(checks)
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The answer is read to its end, so that its connection is free again. */
async function isReady(port: number): Promise<boolean> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(CHECK_MS_MAX) })
    await reply.arrayBuffer()
    return reply.ok
  } catch {
    return false
  }
}
