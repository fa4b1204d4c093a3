import { startTcpProxy } from '../../src/server/testing/tcp-proxy.ts'

type Link = { from: string; to: string; isCut: boolean; proxy: Awaited<ReturnType<typeof startTcpProxy>> }
export type Network = ReturnType<typeof createNetwork>

/**
 * What connects the parts of the cluster: one proxy for each pair. A part that is cut off can neither reach the others
 * nor be reached: connections stay open, and whatever is sent is lost. When it is back, they are reset, as TCP does with
 * a connection that has lost data.
 */
export function createNetwork() {
  const links: Link[] = []
  const away = new Set<string>()

  function apply(link: Link): void {
    const isCut = away.has(link.from) || away.has(link.to)
    if (isCut === link.isCut) return
    link.isCut = isCut
    if (isCut) link.proxy.swallow()
    else {
      link.proxy.pass()
      link.proxy.cut()
    }
  }
  const applyAll = () => {
    for (const link of links) apply(link)
  }

  return {
    /** The address at which `from` reaches the server at `port`, which belongs to `to`. */
    async link(from: string, to: string, port: number): Promise<string> {
      const proxy = await startTcpProxy(`http://127.0.0.1:${port}`)
      const link = { from, to, proxy, isCut: false }
      links.push(link)
      apply(link)
      return `127.0.0.1:${proxy.port}`
    },
    cut(name: string): void {
      away.add(name)
      applyAll()
    },
    heal(name: string): void {
      away.delete(name)
      applyAll()
    },
    async stop(): Promise<void> {
      await Promise.all(links.map(({ proxy }) => proxy.stop()))
    },
  }
}
