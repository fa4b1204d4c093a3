import { Agent, createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

const CHECK_MS = 200

type Balancer = { port: number; stop(): Promise<void> }

/** Sends each request to a server that was ready at the last check. It keeps connections open, and never retries. */
export async function startBalancer(ports: number[]): Promise<Balancer> {
  const ready = new Set<number>()
  const agent = new Agent({ keepAlive: true })
  let turn = 0

  async function check(port: number): Promise<void> {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) ready.add(port)
    else ready.delete(port)
  }
  const checks = setInterval(() => ports.map(check), CHECK_MS)
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
    async stop() {
      clearInterval(checks)
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}
