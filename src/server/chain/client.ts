import { BlockNotFoundError, createPublicClient, defineChain, http, type PublicClient } from 'viem'
import type { Config } from '../platform/config.ts'

/** Decimals of the tokens, the same on every network we run on. */
export const TOKEN_DECIMALS = { usdt: 18, jw: 10, jwc: 18 } as const
const RPC_TIMEOUT_MS = 5_000

/** `others` is the same chain through the other configured nodes (nodes.ts). */
export type Chain = { client: PublicClient; settings: Config['chain']; others: readonly Chain[] }

export function createChain(settings: Config['chain']): Chain {
  const transport = nodeTransport(settings.rpcUrl)
  const client = createPublicClient({ chain: viemChain(settings), transport, pollingInterval: 500, cacheTime: 0 })
  const others = settings.otherRpcUrls.map((rpcUrl) => createChain({ ...settings, rpcUrl, otherRpcUrls: [] }))
  return { client: client as PublicClient, settings, others }
}

/** viem's timeout ends when the headers arrive. This one also covers the body. */
export const nodeTransport = (rpcUrl: string) =>
  http(rpcUrl, {
    retryCount: 1,
    fetchFn: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(RPC_TIMEOUT_MS) }),
  })

export function viemChain({ chainId, rpcUrl }: Config['chain']) {
  return defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
}

/** A block that the node may not have, because it does not exist or is too old. */
export async function findBlock(chain: Chain, blockNumber: bigint) {
  try {
    return await readBlock(chain, blockNumber)
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  }
}

export const readBlock = ({ client }: Chain, blockNumber: bigint) =>
  client.getBlock({ blockNumber, includeTransactions: false })
