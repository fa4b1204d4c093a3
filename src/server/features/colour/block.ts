import type { Chain } from '../../chain/client.ts'

export type DrawBlock = { number: bigint; hash: string; at: Date }
type Block = { number: bigint; hash: string; timestamp: bigint }

/**
 * The first block with a timestamp at or after `closesAt`, or undefined until it is finalized. Only finalized blocks
 * are used, so a reorg cannot change a result. A node without finality never returns one, and the stakes are refunded.
 */
export async function findDrawBlock({ client, settings }: Chain, closesAt: Date): Promise<DrawBlock | undefined> {
  const [chainId, head] = await Promise.all([client.getChainId(), client.getBlock({ blockTag: 'finalized' })])
  if (chainId !== settings.chainId) throw new Error(`the node serves chain ${chainId}, not ${settings.chainId}`)
  const wanted = BigInt(Math.ceil(closesAt.getTime() / 1000))
  if (head.timestamp < wanted) return undefined
  const first = await firstSince(head, wanted, (blockNumber) => client.getBlock({ blockNumber }))
  return { number: first.number, hash: first.hash.toLowerCase(), at: new Date(Number(first.timestamp) * 1000) }
}

/** Exponential search back from the head to a block before `wanted`, then binary search between the two. */
async function firstSince(head: Block, wanted: bigint, read: (number: bigint) => Promise<Block>): Promise<Block> {
  let found = head
  let before = -1n
  for (let stride = 1n; found.number > 0n; stride *= 2n) {
    const earlier = await read(found.number > stride ? found.number - stride : 0n)
    if (earlier.timestamp < wanted) {
      before = earlier.number
      break
    }
    found = earlier
  }
  while (found.number - before > 1n) {
    const middle = await read((found.number + before) / 2n)
    if (middle.timestamp < wanted) before = middle.number
    else found = middle
  }
  return found
}
