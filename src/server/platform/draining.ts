import type { Socket } from 'node:net'
import type { Http } from './http.ts'

/** A reply that takes longer is cut off. With the longest drain this is still less than main.ts allows. */
const REPLY_MS_MAX = 3_500

/**
 * Lets a server stop without a failed request. While it drains, it still answers, and every reply asks the caller to
 * connect again. On `close`, connections without a running request are closed at once and the others after their reply.
 * Node alone would wait for connections that have not sent a request, and for callers that keep an answered one open.
 */
export function mountDraining(http: Http): void {
  const running = new Map<Socket, number>()
  let isClosing = false
  const count = (socket: Socket, change: 1 | -1) => {
    const requests = (running.get(socket) ?? 0) + change
    running.set(socket, requests)
    if (isClosing && requests === 0) socket.destroySoon()
  }
  http.server.on('connection', (socket) => {
    running.set(socket, 0)
    socket.once('close', () => running.delete(socket))
  })
  http.server.on('request', ({ socket }, response) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })
  http.decorate('draining', { isOn: false })
  http.addHook('onSend', (_request, reply, _payload, done) => {
    if (http.draining.isOn) reply.header('connection', 'close')
    done()
  })
  http.addHook('preClose', async () => {
    http.draining.isOn = true
    isClosing = true
    for (const [socket, requests] of running) if (requests === 0) socket.destroySoon()
    setTimeout(() => http.server.closeAllConnections(), REPLY_MS_MAX).unref()
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Set when this process is about to stop. It is then not ready, but still answers. */
    draining: { isOn: boolean }
  }
}
