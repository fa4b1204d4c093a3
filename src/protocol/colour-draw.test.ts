import { createHash, createHmac, hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberFromOutside } from '../server/testing/numbers.ts'
import { fromHex, toHex } from '../verifier/bytes.ts'
import { drawOf, expectedCost, exposureOf, leadsTo, payoutOf } from './colour-draw.ts'
import { chancePercent, colourOf, colours, colourTable, RETURN_PERCENT } from './colour-odds.ts'
import { micro, parseUsdt } from './money.ts'

const hmac = (key: Uint8Array, message: string) => createHmac('sha256', key).update(message).digest()
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
/** HMAC with a fixed key, built from two plain hashes (RFC 2104). Five times faster than one createHmac per message. */
function hmacOf(key: Uint8Array) {
  const pad = (byte: number) => Buffer.from(Uint8Array.from({ length: 64 }, (_, at) => (key[at] ?? 0) ^ byte))
  const [inner, outer] = [pad(0x36), pad(0x5c)]
  const once = (first: Buffer, rest: Buffer) => hash('sha256', Buffer.concat([first, rest]), 'buffer')
  return (_key: Uint8Array, message: string) => once(outer, once(inner, Buffer.from(message)))
}
const words = (...numbers: number[]) => {
  const view = new DataView(new ArrayBuffer(numbers.length * 4))
  numbers.forEach((number, at) => {
    view.setUint32(at * 4, number)
  })
  return new Uint8Array(view.buffer)
}
const seed = fromHex('11'.repeat(32))
const block = `0x${'ab'.repeat(32)}`

describe('the draw', () => {
  it('takes the first word of the digest modulo 100', async () => {
    expect(await drawOf(() => words(1_234_567, 1), seed, 7, block)).toBe(67)
  })

  it('skips words that would favour low numbers and takes the next one', async () => {
    expect(await drawOf(() => words(4_294_967_200, 4_294_967_295, 4_294_967_199), seed, 7, block)).toBe(99)
  })

  it('hashes again with a counter when every word of the digest is skipped', async () => {
    const messages: string[] = []
    const thirdTime = (_key: Uint8Array, message: string) => {
      messages.push(message)
      return messages.length < 3 ? words(4_294_967_295) : words(42)
    }
    expect(await drawOf(thirdTime, seed, 7, block)).toBe(42)
    expect(messages).toEqual([`7:${block}`, `7:${block}:1`, `7:${block}:2`])
  })

  it('does not depend on the letter case of the block hash', async () => {
    expect(await drawOf(hmac, seed, 7, block.toUpperCase().replace('0X', '0x'))).toBe(
      await drawOf(hmac, seed, 7, block),
    )
  })

  it('is uniform (chi-square, 99 degrees of freedom)', async () => {
    const fastHmac = hmacOf(seed)
    expect(fastHmac(seed, `1:${block}`)).toEqual(hmac(seed, `1:${block}`))
    const counts = new Array<number>(100).fill(0)
    const draws = numberFromOutside('DRAWS', 100_000)
    for (let round = 1; round <= draws; round++) {
      const draw = await drawOf(fastHmac, seed, round, block)
      counts[draw] = (counts[draw] ?? 0) + 1
    }
    const chiSquare = (shares: { count: number; share: number }[]) =>
      shares.reduce((sum, { count, share }) => sum + (count - draws * share) ** 2 / (draws * share), 0)
    // A fair draw exceeds 148.23 and 13.82 in one run out of a thousand.
    expect(chiSquare(counts.map((count) => ({ count, share: 1 / 100 })))).toBeLessThan(148.23)
    const byColour = colours.map((colour) => ({
      count: counts.slice(colourTable[colour].from, colourTable[colour].to + 1).reduce((sum, count) => sum + count, 0),
      share: chancePercent(colour) / 100,
    }))
    expect(chiSquare(byColour)).toBeLessThan(13.82)
  }, 120_000)
})

describe('the table', () => {
  it('gives every number one colour: green 0–47, red 48–95, violet 96–99', () => {
    const edges = [0, 47, 48, 95, 96, 99].map(colourOf)
    expect(edges).toEqual(['green', 'green', 'red', 'red', 'violet', 'violet'])
    expect(() => colourOf(100)).toThrow()
    expect(colours.map(chancePercent)).toEqual([48, 48, 4])
  })

  it.each(colours)('returns 96% of the stake on average on %s', (colour) => {
    expect(BigInt(chancePercent(colour)) * colourTable[colour].pays).toBe(96n)
    expect(RETURN_PERCENT).toBe(96n)
  })

  it('pays 2, 2 and 24 times the stake to the micro-USDT, and nothing on another colour', () => {
    const stake = parseUsdt('0.333333')
    expect(payoutOf(stake, 'green', 'green')).toBe(666_666n)
    expect(payoutOf(stake, 'red', 'red')).toBe(666_666n)
    expect(payoutOf(stake, 'violet', 'violet')).toBe(7_999_992n)
    expect(payoutOf(stake, 'violet', 'red')).toBe(0n)
  })

  it('rounds the stated cost of a stake up', () => {
    expect(expectedCost(parseUsdt('10'))).toBe(parseUsdt('0.4'))
    expect(expectedCost(micro(1n))).toBe(1n)
  })

  it('never pays more than the stakes plus the exposure', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 18n }).map(micro)
    fc.assert(
      fc.property(amount, amount, amount, (green, red, violet) => {
        const stakes = { green, red, violet }
        const most = colours.map((colour) => stakes[colour] * colourTable[colour].pays)
        const covered = green + red + violet + exposureOf(stakes)
        return most.every((payout) => payout <= covered) && exposureOf(stakes) >= 0n
      }),
    )
  })
})

describe('the hash chain', () => {
  it('leads from a seed to the anchor in exactly one hash per round', async () => {
    const anchor = sha256(sha256(sha256(seed)))
    expect(await leadsTo(sha256, seed, anchor, 3)).toBe(true)
    expect(await leadsTo(sha256, seed, anchor, 2)).toBe(false)
    expect(await leadsTo(sha256, seed, seed, 0)).toBe(true)
  })

  it('reads and writes hex', () => {
    expect(toHex(fromHex('00ff10'))).toBe('00ff10')
  })
})
