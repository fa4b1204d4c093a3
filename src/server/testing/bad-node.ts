import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Faults that the fault suite injects at random. */
export const nodeFaults = ['silence', '500', '429', 'cut', 'wrong chain', 'no logs', 'sent but error'] as const
/** Well-formed answers that are not true. */
export const nodeLies = ['wrong block hash', 'wrong nonce', 'no receipt', 'wrong balance'] as const
export type NodeFault = (typeof nodeFaults)[number] | (typeof nodeLies)[number]

export type Call = { id: number; method: string; params?: unknown[] }
type Reply = { result: unknown }
/** Another result for a call; undefined if this one is answered honestly. */
export type Rewrite = (call: Call, honest: unknown) => unknown

/** A proxy between our processes and the chain node. `spoil` makes it corrupt the next replies. */
export async function startBadNode(nodeUrl: string) {
  let fault: NodeFault | undefined
  let left = 0
  let isDown = false
  let spoiled = 0
  let target = nodeUrl
  let rewrite: Rewrite | undefined

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    if (isDown) socket.destroy()
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (isDown) return void response.destroy()
    const call = JSON.parse(body) as Call
    const spoil = left > 0 && fault !== undefined && concerns(fault, call) ? fault : undefined
    if (!spoil) return void response.end(await forwardOrRewrite(call, body))
    left--
    spoiled++
    await answerBadly(spoil, call, () => post(target, body), response)
  }

  async function forwardOrRewrite(call: Call, body: string): Promise<string> {
    const whole = await post(target, body)
    const reply = JSON.parse(whole) as Reply
    const result = rewrite?.(call, reply.result)
    if (result === undefined) return whole
    spoiled++
    return JSON.stringify({ jsonrpc: '2.0', id: call.id, result })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spoil(kind: NodeFault, answers: number): void {
      fault = kind
      left = answers
    },
    /** Lies in every answer that the function changes, until `heal`. */
    lie(next: Rewrite): void {
      rewrite = next
    },
    /** Passes everything on to another node until `heal`. */
    follow(url: string): void {
      target = url
    },
    heal(): void {
      left = 0
      rewrite = undefined
      target = nodeUrl
      isDown = false
    },
    down(): void {
      isDown = true
      server.closeAllConnections()
    },
    spoiled: () => spoiled,
    stop(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Forward = () => Promise<string>

async function answerBadly(kind: NodeFault, call: Call, forward: Forward, response: ServerResponse): Promise<void> {
  const reply = (rest: object) => JSON.stringify({ jsonrpc: '2.0', id: call.id, ...rest })
  if (kind === 'silence') return void setTimeout(() => response.destroy(), 5_500)
  if (kind === '500' || kind === '429') return void response.writeHead(Number(kind)).end('busy')
  if (kind === 'wrong chain') return void response.end(reply({ result: '0x1' }))
  if (kind === 'sent but error') {
    await forward()
    return void response.end(reply({ error: { code: -32_000, message: 'internal error' } }))
  }
  // For a query by block hash, a lagging node returns an unknown block error; for a range, it returns no logs.
  if (kind === 'no logs') {
    const byHash = JSON.stringify(call.params ?? []).includes('blockHash')
    const unknown = { error: { code: -32_000, message: 'unknown block' } }
    return void response.end(reply(byHash ? unknown : { result: [] }))
  }
  const whole = await forward()
  if (isLie(kind)) return void response.end(JSON.stringify(lies[kind](JSON.parse(whole))))
  response.end(whole.slice(0, Math.floor(whole.length / 2)))
}

async function post(url: string, body: string): Promise<string> {
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return reply.text()
}

const isLie = (fault: NodeFault): fault is (typeof nodeLies)[number] => nodeLies.some((lie) => lie === fault)

const lies: Record<(typeof nodeLies)[number], (honest: Reply) => Reply> = {
  'wrong block hash': (honest) => ({
    ...honest,
    result: { ...(honest.result as object), hash: `0x${'bad0'.repeat(16)}` },
  }),
  'wrong nonce': (honest) => ({ ...honest, result: `0x${(BigInt(String(honest.result)) + 7n).toString(16)}` }),
  'no receipt': (honest) => ({ ...honest, result: null }),
  'wrong balance': (honest) => ({ ...honest, result: `0x${'0'.repeat(64)}` }),
}

const lieMethods: Record<(typeof nodeLies)[number], string> = {
  'wrong block hash': 'eth_getBlockByNumber',
  'wrong nonce': 'eth_getTransactionCount',
  'no receipt': 'eth_getTransactionReceipt',
  'wrong balance': 'eth_call',
}

function concerns(fault: NodeFault, { method }: Call): boolean {
  if (isLie(fault)) return method === lieMethods[fault]
  if (fault === 'wrong chain') return method === 'eth_chainId'
  if (fault === 'no logs') return method === 'eth_getLogs'
  if (fault === 'sent but error') return method === 'eth_sendRawTransaction'
  return true
}
