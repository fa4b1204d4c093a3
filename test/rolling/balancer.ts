import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../../src/server/embedded/postgres.ts'

const CHECK_MS = 200

export type Balancer = { port: number; stop(): Promise<void> }
export type StartBalancer = (ports: number[], folder: string) => Promise<Balancer>

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

/** HAProxy with the same rules: two failed checks take a server out, and a request is never sent twice. */
export async function startHaproxy(ports: number[], folder: string): Promise<Balancer> {
  const port = await freePort()
  const servers = ports.map((each) => `  server api${each} 127.0.0.1:${each} check inter ${CHECK_MS} fall 2 rise 1`)
  const config = [
    'defaults',
    '  mode http',
    '  retries 0',
    '  timeout connect 2s',
    // Otherwise the interval is also the timeout, and a busy machine looks like a dead server.
    '  timeout check 2s',
    '  timeout client 60s',
    '  timeout server 60s',
    'listen wellplay',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk GET /readyz',
    ...servers,
  ]
  const path = join(folder, 'haproxy.cfg')
  writeFileSync(path, `${config.join('\n')}\n`)
  const child = spawn('haproxy', ['-db', '-f', path], { stdio: 'ignore' })
  await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error))])
  return {
    port,
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
