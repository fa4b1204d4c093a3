import { type Colour, colours, colourTable, DRAW_SIZE, RETURN_PERCENT } from './colour-odds.ts'
import { larger, micro, type Usdt, ZERO } from './money.ts'

export const payoutOf = (stake: Usdt, bet: Colour, outcome: Colour): Usdt =>
  micro(bet === outcome ? stake * colourTable[bet].pays : 0n)

/** The average cost of playing this stake, rounded up so that it is never understated. */
export const expectedCost = (stake: Usdt): Usdt => micro((stake * (100n - RETURN_PERCENT) + 99n) / 100n)

export type Stakes = Record<Colour, Usdt>

const tablePays = { green: colourTable.green.pays, red: colourTable.red.pays, violet: colourTable.violet.pays }

/** The most a round can cost the house: the largest payout of any colour, less all stakes of the round. */
export function exposureOf(stakes: Stakes, pays: Record<Colour, bigint> = tablePays): Usdt {
  const total = stakes.green + stakes.red + stakes.violet
  return colours.map((colour) => micro(stakes[colour] * pays[colour] - total)).reduce(larger, ZERO)
}

export type Hmac = (key: Uint8Array, message: string) => Uint8Array | Promise<Uint8Array>
export type Sha256 = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>

const WORD_LIMIT = 4_294_967_200

/**
 * The colour game's public arithmetic. Server, browser and the separate verifier each pass in their own SHA-256.
 *
 * The server seeds are a hash chain: seed n hashes to seed n − 1, and seed 0, the anchor, was published before the
 * first round. The draw of a round is
 *
 *   digest = HMAC-SHA-256(key: the 32 bytes of the round's seed, message: "<round number>:<block hash>")
 *
 * with the block hash in lower case hex after 0x. The digest is read as eight big-endian 4-byte numbers. The draw is
 * the first of them below 4,294,967,200 (the largest multiple of 100 that fits), modulo 100, so all hundred results
 * are equally likely. If all eight are too large, the next message is "<round number>:<block hash>:1", then ":2" and
 * so on.
 */
export async function drawOf(hmac: Hmac, seed: Uint8Array, round: number, blockHash: string): Promise<number> {
  const message = `${round}:${blockHash.toLowerCase()}`
  for (let attempt = 0; ; attempt++) {
    const digest = await hmac(seed, attempt === 0 ? message : `${message}:${attempt}`)
    const draw = reduce(digest)
    if (draw !== undefined) return draw
  }
}

/** The first 4-byte number below the limit, modulo 100. */
function reduce(digest: Uint8Array): number | undefined {
  const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength)
  for (let at = 0; at + 4 <= digest.byteLength; at += 4) {
    const word = view.getUint32(at)
    if (word < WORD_LIMIT) return word % DRAW_SIZE
  }
  return undefined
}

/** Whether hashing `seed` `steps` times gives `earlier`. */
export async function leadsTo(sha256: Sha256, seed: Uint8Array, earlier: Uint8Array, steps: number): Promise<boolean> {
  let value = seed
  for (let step = 0; step < steps; step++) value = await sha256(value)
  return value.length === earlier.length && value.every((byte, at) => byte === earlier[at])
}
