import { fromHex } from '../verifier/bytes.ts'
import type { Round } from './colour.ts'
import { drawOf, type Hmac, leadsTo, type Sha256 } from './colour-draw.ts'
import { colourOf } from './colour-odds.ts'

/** The public data of a round. */
export type CheckedRound = Pick<
  Round,
  'number' | 'state' | 'closes_at' | 'block_number' | 'block_hash' | 'seed' | 'draw' | 'color'
>
/** The chain of seeds that the round belongs to. Its anchor was published before its first round. */
export type SeedChain = { anchor: string; first_round: number }
/** An earlier seed of the same chain that was checked before. It saves hashing back to the anchor. */
export type KnownSeed = { number: number; seed: string }
export type Hashes = { hmac: Hmac; sha256: Sha256 }
export type ReadBlock = (number: number) => Promise<{ hash: string; timestamp: number } | null>

/** What is wrong with a round, one phrase each. `npm run verify-round` and invariant 20 run this function. */
export async function checkRound(
  hashes: Hashes,
  readBlock: ReadBlock,
  round: CheckedRound,
  chain: SeedChain,
  known?: KnownSeed,
): Promise<string[]> {
  return [...(await checkDraw(hashes, round, chain, known)), ...(await checkBlock(readBlock, round))]
}

/** The part that needs no chain node: the seed is in the published chain, and seed and block give the result. */
export async function checkDraw(
  { hmac, sha256 }: Hashes,
  round: CheckedRound,
  { anchor, first_round }: SeedChain,
  known?: KnownSeed,
): Promise<string[]> {
  if (round.state === 'open') return ['is not over yet']
  // The seed of a refunded round is revealed a moment after the refund.
  if (round.state === 'refunded' && round.seed === null) return []
  const seed = fromHex(round.seed ?? '')
  const start = known && known.number >= first_round && known.number < round.number ? known : undefined
  const steps = round.number - (start?.number ?? first_round - 1)
  if (!(await leadsTo(sha256, seed, fromHex(start?.seed ?? anchor), steps)))
    return ['has a seed that is not in the published chain']
  if (round.state === 'refunded') return []
  const draw = await drawOf(hmac, seed, round.number, round.block_hash ?? '')
  return [
    ...(draw === round.draw ? [] : [`claims the draw was ${round.draw}, but seed and block give ${draw}`]),
    ...(colourOf(draw) === round.color ? [] : [`claims ${round.color} won, but ${draw} is ${colourOf(draw)}`]),
  ]
}

/** The block must be on the chain, and the first whose time is at or after closing. */
async function checkBlock(readBlock: ReadBlock, round: CheckedRound): Promise<string[]> {
  if (round.state !== 'settled') return []
  const number = round.block_number ?? 0
  const closing = Math.ceil(round.closes_at.getTime() / 1000)
  const [block, parent] = await Promise.all([readBlock(number), number > 0 ? readBlock(number - 1) : null])
  if (!block) return [`names block ${number}, which is not on the chain`]
  if (block.hash.toLowerCase() !== round.block_hash)
    return [`names block ${number}, which has a different hash on chain`]
  if (block.timestamp < closing) return ['used a block from before closing']
  return parent && parent.timestamp >= closing ? ['did not use the first block after closing'] : []
}
