import { type AddressInfo, connect, createServer, Socket } from 'node:net'

type Pair = { client: Socket; server: Socket; isSilent: boolean }
type Options = {
  /** Changes what the server sends. */
  rewrite?: (bytes: Buffer) => Buffer
}

/**
 * A TCP proxy in front of a database or a chain node. It can swallow everything without a reset, as a network does when
 * a machine disappears: connections stay open and nothing arrives.
 */
export async function startTcpProxy(targetUrl: string, { rewrite = (bytes) => bytes }: Options = {}) {
  const target = new URL(targetUrl)
  const pairs = new Set<Pair>()
  let isSwallowing = false

  // Half-open, so that Node does not answer the end of one side by itself.
  const listener = createServer({ allowHalfOpen: true }, (client) => {
    // Behind a silent network the server does not even learn of the connection.
    const server = isSwallowing
      ? new Socket().destroy()
      : connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true })
    const pair: Pair = { client, server, isSilent: isSwallowing }
    pairs.add(pair)
    client.on('data', (bytes) => pair.isSilent || server.write(bytes))
    server.on('data', (bytes) => pair.isSilent || client.write(rewrite(bytes)))
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on('error', () => {})
      socket.on('end', () => pair.isSilent || other.end())
      socket.on('close', () => {
        // Not even the end of the server's connection reaches the client.
        if (!pair.isSilent) other.destroy()
        if (client.destroyed && server.destroyed) pairs.delete(pair)
      })
    }
  })
  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening))
  const { port } = listener.address() as AddressInfo

  function destroyAll(): void {
    for (const { client, server } of pairs) {
      client.destroy()
      server.destroy()
    }
  }

  return {
    url: throughPort(targetUrl, port),
    port,
    connections: () => pairs.size,
    /** Connections that are open become silent for ever, and so does every new one until `pass`. */
    swallow(): void {
      isSwallowing = true
      for (const pair of pairs) pair.isSilent = true
    },
    pass(): void {
      isSwallowing = false
    },
    /** Ends all connections, with nothing said to either side. */
    cut: destroyAll,
    async stop(): Promise<void> {
      destroyAll()
      await new Promise((closed) => listener.close(closed))
    },
  }
}

/** The same URL, through another port of this machine. */
export const throughPort = (url: string, port: number): string =>
  Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).toString()
