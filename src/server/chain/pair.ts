import { parseAbi } from 'viem'
import { type Chain, TOKEN_DECIMALS } from './client.ts'

const pairAbi = parseAbi([
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
  'function token0() view returns (address)',
])

const PRICE_DECIMALS = 10

export type PairPrice = { price: string; block: bigint }

/** The price of one JW in USDT, from the pair's reserves at the newest block. */
export async function readPairPrice({ reader, settings }: Chain): Promise<PairPrice> {
  const block = await reader.getBlockNumber()
  const pair = { address: settings.pair, abi: pairAbi, blockNumber: block } as const
  const [token0, [reserve0, reserve1]] = await Promise.all([
    reader.readContract({ ...pair, functionName: 'token0' }),
    reader.readContract({ ...pair, functionName: 'getReserves' }),
  ])
  const isJwFirst = token0.toLowerCase() === settings.jw
  const [jw, usdt] = isJwFirst ? [reserve0, reserve1] : [reserve1, reserve0]
  if (jw === 0n) throw new Error('the pair holds no JW')
  return { price: quotient(usdt, jw), block }
}

/** usdt ÷ jw with both scaled to whole tokens, truncated to ten decimals. */
function quotient(usdt: bigint, jw: bigint): string {
  const scaled = (usdt * 10n ** BigInt(PRICE_DECIMALS + TOKEN_DECIMALS.jw)) / (jw * 10n ** BigInt(TOKEN_DECIMALS.usdt))
  const digits = scaled.toString().padStart(PRICE_DECIMALS + 1, '0')
  return `${digits.slice(0, -PRICE_DECIMALS)}.${digits.slice(-PRICE_DECIMALS)}`.replace(/\.?0+$/, '')
}
