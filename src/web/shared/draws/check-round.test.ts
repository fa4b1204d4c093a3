import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Round } from '../../../protocol/colour.ts'
import { drawOf } from '../../../protocol/colour-draw.ts'
import { colourOf } from '../../../protocol/colour-odds.ts'
import { ZERO } from '../../../protocol/money.ts'
import { fromHex } from '../../../verifier/bytes.ts'
import { checkRound } from './check-round.ts'

const sha256 = (hex: string) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')
const hmac = async (key: Uint8Array, message: string) => createHmac('sha256', key).update(message).digest()

/** Round 3 of a hash chain, and the anchor published before its first round. */
const seed = '5e'.repeat(32)
const anchor = { number: 0, seed: sha256(sha256(sha256(seed))) }
const block_hash = `0x${'b1'.repeat(32)}`
const draw = await drawOf(hmac, fromHex(seed), 3, block_hash)
const round: Round = {
  number: 3,
  opens_at: new Date('2030-01-01T00:02:00Z'),
  closes_at: new Date('2030-01-01T00:02:45Z'),
  state: 'settled',
  bets: 0,
  stakes: { green: ZERO, red: ZERO, violet: ZERO },
  block_number: 7,
  block_hash,
  seed,
  draw,
  color: colourOf(draw),
  finished_at: new Date('2030-01-01T00:02:55Z'),
}

test('a correctly drawn round passes the check, from the anchor or from any earlier seed', async () => {
  expect(await checkRound(round, anchor, false)).toMatchObject({ verdict: 'right' })
  const next = await checkRound(round, { number: 2, seed: sha256(seed) }, false)
  expect(next).toMatchObject({ verdict: 'right', gaps: [] })
  expect(next.notes[0]).toBe('The seed hashes to one published earlier (1 step).')
})

test.each<[string, Partial<Round>, RegExp]>([
  ['a different draw', { draw: (draw + 1) % 100 }, /give \d+, not \d+/],
  ['a different colour', { color: colourOf((draw + 50) % 100) }, /give/],
  ['a different block', { block_hash: `0x${'b2'.repeat(32)}` }, /give/],
  ['a different seed', { seed: '5f'.repeat(32) }, /does not hash to the one published earlier/],
  ['a different number', { number: 4 }, /does not hash to the one published earlier/],
  ['no seed', { seed: null }, /not published/],
])('a round with %s fails the check', async (_what, change, words) => {
  const { verdict, notes } = await checkRound({ ...round, ...change }, anchor, false)
  expect(verdict).toBe('wrong')
  expect(notes.join()).toMatch(words)
})

test('a refunded round passes the check only if its seed is the next one in the hash chain', async () => {
  const refunded: Round = { ...round, state: 'refunded', draw: null, color: null, block_hash: null }
  expect(await checkRound(refunded, anchor, false)).toMatchObject({ verdict: 'right' })
  expect(await checkRound({ ...refunded, seed: '5f'.repeat(32) }, anchor, false)).toMatchObject({ verdict: 'wrong' })
})
