import type { Chain } from '../../chain/client.ts'

export type DrawBlock = { number: bigint; hash: string; at: Date }
type Block = { number: bigint; hash: string; timestamp: bigint }

/**
 * The first block whose timestamp is at or after `closesAt`, once the node calls it finalized: a block that could still
 * be replaced is never used, so no reorganisation changes a result. Nothing while it is not there yet. A node without
 * finality never has it, and the stakes go back.
 */
export async function findDrawBlock({ client, settings }: Chain, closesAt: Date): Promise<DrawBlock | undefined> {
  const [chainId, head] = await Promise.all([client.getChainId(), client.getBlock({ blockTag: 'finalized' })])
  if (chainId !== settings.chainId) throw new Error(`the node serves chain ${chainId}, not ${settings.chainId}`)
  const wanted = BigInt(Math.ceil(closesAt.getTime() / 1000))
  if (head.timestamp < wanted) return undefined
  const first = await firstSince(head, wanted, (blockNumber) => client.getBlock({ blockNumber }))
  return { number: first.number, hash: first.hash.toLowerCase(), at: new Date(Number(first.timestamp) * 1000) }
}

/** Steps back in doubling strides until before `wanted`, then halves the stretch between. */
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
