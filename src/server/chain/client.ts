import {
  BlockNotFoundError,
  createPublicClient,
  custom,
  defineChain,
  http,
  type PublicClient,
  type Transport,
} from 'viem'
import type { Config } from '../platform/config.ts'
import { createMajority, type Request } from './majority.ts'

/** Decimals of the tokens, the same on every network we run on. */
export const TOKEN_DECIMALS = { usdt: 18, jw: 10, jwc: 18 } as const
const RPC_TIMEOUT_MS = 5_000

/**
 * The chain through all configured nodes. `client` gives what a majority of them agrees on (majority.ts): use it for
 * everything that moves money or signs a user in. `reader` gives what the first node that responds says: use it for
 * figures that are only shown.
 */
export type Chain = { client: PublicClient; reader: PublicClient; settings: Config['chain'] }

export function createChain(settings: Config['chain'], leftOutMs?: number): Chain {
  const clientOf = (transport: Transport): PublicClient =>
    createPublicClient({ chain: viemChain(settings), transport, pollingInterval: 500, cacheTime: 0 }) as PublicClient
  if (settings.otherRpcUrls.length === 0) {
    const client = clientOf(nodeTransport(settings.rpcUrl))
    return { client, reader: client, settings }
  }
  const nodes = [settings.rpcUrl, ...settings.otherRpcUrls].map((url, at) => {
    const { request } = nodeTransport(url)({ retryCount: 0 })
    // Without the path and the login, which may be secret.
    return { name: `${at + 1} ${new URL(url).host}`, request: request as Request }
  })
  const { request, requestAny } = createMajority(nodes, leftOutMs)
  return {
    client: clientOf(custom({ request }, { retryCount: 0 })),
    reader: clientOf(custom({ request: requestAny }, { retryCount: 0 })),
    settings,
  }
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
