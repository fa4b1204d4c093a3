import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A TCP proxy that can fall silent: it then accepts connections and bytes, forwards nothing and closes nothing. That is
 * what a machine looks like that vanished without a reset.
 */
export async function startSilentProxy(targetPort: number) {
  const sockets = new Set<Socket>()
  let isSilent = false

  function relay(from: Socket, to: Socket): void {
    sockets.add(from)
    from.on('data', (bytes) => isSilent || to.write(bytes))
    from.on('end', () => isSilent || to.end())
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      if (!isSilent) to.destroy()
    })
  }

  // Half-open, so that Node does not answer the end of one side by itself.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true })
    relay(client, target)
    relay(target, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent(): void {
      isSilent = true
    },
    stop(): void {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** The same URL, through another port of this machine. */
export const throughPort = (url: string, port: number): string =>
  Object.assign(new URL(url), { port: String(port) }).toString()
