import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A minimal chain node for the draw: one block per second, all of them final. Its head is a second ahead, so that no
 * test waits for a block. `stall` freezes the head.
 */
export async function startTestNode(chainId = 31337) {
  let stalledAt: number | undefined
  const head = () => stalledAt ?? Math.floor(Date.now() / 1000) + 1

  function answer({ method, params = [] }: { method: string; params?: unknown[] }): unknown {
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
    if (method !== 'eth_getBlockByNumber') return null
    const asked = String(params[0])
    const number = asked.startsWith('0x') ? Number(asked) : head()
    return number > head() ? null : blockAt(number)
  }

  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const body = JSON.parse(text)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result: answer(body) }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stall: (at: number | undefined) => {
      stalledAt = at
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** A block's number is its timestamp in seconds. */
function blockAt(number: number) {
  const hash = `0x${createHash('sha256').update(`block ${number}`).digest('hex')}`
  const hex = `0x${number.toString(16)}`
  return {
    number: hex,
    timestamp: hex,
    hash,
    parentHash: hash,
    transactions: [],
    gasLimit: '0x0',
    gasUsed: '0x0',
    size: '0x0',
  }
}
