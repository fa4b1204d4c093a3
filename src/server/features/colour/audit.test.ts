import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { colour } from '../../../protocol/colour.ts'
import { colours } from '../../../protocol/colour-odds.ts'
import { runAudit } from '../../ledger/audit.ts'
import { invariants } from '../../operators/invariants.ts'
import { aUser } from '../../testing/api.ts'
import { aPlayer, createTestTable, fillFees, type TestTable } from '../../testing/colour.ts'
import { CHECKPOINTS, WHOLE_WINDOW } from '../../testing/corruption.ts'

let table: TestTable
beforeAll(async () => {
  table = await createTestTable()
  const sponsor = await aUser(table)
  const player = await aPlayer(table, '100', { referralCode: sponsor.referralCode })
  for (let round = 0; round < 4; round++) {
    const number = await table.open()
    for (const color of colours) await table.call(colour.placeBet, { amount: '1', color }, player.token)
    await table.closeBetting(number, round === 2 ? 61 : 0)
    await table.draw(number)
  }
  // Round 3 was refunded by backdating its closing time, so its bets must be backdated too.
  await table.owner.query(`begin; set local session_replication_role = replica;
    update colour_bets b set placed_at = opens_at from colour_rounds r where r.number = b.round and round = 3; commit`)
  await fillFees(table, '1')
  await table.call(colour.upline, { amount: '1' }, player.token)
  await table.open()
  await table.call(colour.placeBet, { amount: '1', color: 'red' }, player.token)
})
afterAll(() => table.close())

async function findings(number: number): Promise<string[]> {
  const report = await runAudit(table.context.db, invariants, { pace: WHOLE_WINDOW })
  return report.invariants.find((invariant) => invariant.number === number)?.findings ?? []
}

/** Corrupts data as superuser with triggers off, runs the audit, then repairs the data. */
async function corrupt(number: number, plant: string, repair: string): Promise<string[]> {
  const unguarded = (statement: string) =>
    table.owner.query(`begin; set local session_replication_role = replica; ${statement}; commit`)
  await unguarded(plant)
  const found = await findings(number)
  await unguarded(repair)
  expect(await findings(number)).toEqual([])
  return found
}

describe.each(CHECKPOINTS)('invariant 20 %s', (_age, setCheckpoint) => {
  beforeAll(() => setCheckpoint({ db: table.context.db, ownerUrl: table.database.ownerUrl, invariants }))

  it('holds for settled, refunded and open rounds', async () => {
    expect(await findings(20)).toEqual([])
    expect(await findings(26)).toEqual([])
  })

  it('names a bet after closing', async () => {
    const set = (sign: string) =>
      `update colour_bets set placed_at = placed_at ${sign} interval '1 hour' where round = 1 and colour = 'red'`
    expect(await corrupt(20, set('+'), set('-'))).toEqual([expect.stringContaining('outside the betting time')])
  })

  it('names a draw that does not match its seed and block', async () => {
    const set = (change: string) => `update colour_rounds set draw = ${change} where number = 2`
    const found = await corrupt(20, set('(draw + 1) % 100'), set('(draw + 99) % 100'))
    expect(found).toEqual([expect.stringMatching(/^round 2 claims the draw was \d+, but seed and block give \d+$/)])
  })

  it('names a round that paid the wrong colour', async () => {
    const turn = (from: string, to: string) => `when '${from}' then '${to}'::colour`
    const set = (cases: string[]) =>
      `update colour_rounds set outcome = case outcome ${cases.join(' ')} end where number = 4`
    const found = await corrupt(
      20,
      set([turn('green', 'red'), turn('red', 'violet'), turn('violet', 'green')]),
      set([turn('red', 'green'), turn('violet', 'red'), turn('green', 'violet')]),
    )
    expect(found).toContainEqual(expect.stringMatching(/^round 4 claims \w+ won, but \d+ is \w+$/))
  })

  it('names a seed from outside the chain, even in a refunded round', async () => {
    const flip = 'update colour_rounds set seed = set_byte(seed, 0, 255 - get_byte(seed, 0)) where number = 3'
    const found = await corrupt(20, flip, flip)
    expect(found).toContainEqual('round 3 has a seed that is not in the published chain')
  })

  it('names stakes that do not match the bets, and an escrow that does not match the stakes', async () => {
    const set = (sign: string) => `update colour_rounds set stake_red = stake_red ${sign} 1 where number = 5`
    const found = await corrupt(20, set('+'), set('-'))
    expect(found).toContain('the stakes of round 5 do not match its bets')
    expect(found).toContainEqual(expect.stringMatching(/^bet_escrow holds 1000000, but open rounds have/))
  })

  it('names a settlement that paid the wrong amount', async () => {
    const set = (sign: string) => `update ledger_entries set amount = amount ${sign} 1
      where kind = 'round_settlement' and account_id = ledger_custody() + 5
        and reference = (select id from colour_rounds where number = 1)`
    expect(await corrupt(20, set('+'), set('-'))).toContainEqual(
      expect.stringMatching(/^settlements posted -?\d+ to the house/),
    )
  })

  it('names an upline paid for a round that was refunded', async () => {
    const green = (round: number) => `(select id from colour_bets where round = ${round} and colour = 'green')`
    const set = (from: number, to: number) =>
      `update ledger_postings set reference = ${green(to)} where kind = 'colour_upline' and reference = ${green(from)}`
    expect(await corrupt(20, set(1, 3), set(3, 1))).toEqual([
      expect.stringMatching(/^the upline of .* was paid, but it is not a bet of a settled round$/),
    ])
  })

  it('names an upline paid to a user who is not an ancestor, or with another amount', async () => {
    const set = (change: string) => `update colour_uplines set ${change}`
    expect(await corrupt(20, set('ancestors[1] = ancestors[1] - 1'), set('ancestors[1] = ancestors[1] + 1'))).toEqual(
      expect.arrayContaining([expect.stringMatching(/is not the ancestor on level 1$/)]),
    )
    expect(await corrupt(20, set('amounts[1] = amounts[1] + 1'), set('amounts[1] = amounts[1] - 1'))).toEqual([
      expect.stringMatching(/5001 is not 5 per mille of 1000000$/),
      expect.stringMatching(/got 5000 instead of 5001$/),
    ])
  })

  it('names a round that pays back more than it takes on average', async () => {
    const set = (pays: number) => `update colour_rounds set pays_violet = ${pays} where number = 5`
    expect(await corrupt(20, set(26), set(24))).toEqual(['round 5 pays back more than it takes on average'])
  })

  it('names a missing round', async () => {
    const set = (sign: string) => `update colour_rounds set number = number ${sign} 10 where number in (5, 15)`
    const found = await corrupt(20, set('+'), set('-'))
    expect(found).toContain('there is a round 15 and a round 15, but none with the number 14')
  })
})

describe('invariant 26', () => {
  it('names a bet over a daily stake limit, but not one exactly at it', async () => {
    const player = await aPlayer(table)
    await table.call(colour.setLimit, { kind: 'stake', amount: '2' }, player.token)
    for (const color of ['red', 'green'] as const)
      await table.call(colour.placeBet, { amount: '1', color }, player.token)
    expect(await findings(26)).toEqual([])
    const set = (amount: number) => `update colour_limits set amount = ${amount} where user_number = ${player.number}`
    expect(await corrupt(26, set(1_999_999), set(2_000_000))).toEqual([
      expect.stringContaining(`exceeds a limit of user ${player.number}: staked 2000000`),
    ])
  })

  it('names a bet over a daily loss limit', async () => {
    const player = await aPlayer(table)
    await table.call(colour.setLimit, { kind: 'loss', amount: '3' }, player.token)
    await table.call(colour.placeBet, { amount: '3', color: 'red' }, player.token)
    expect(await findings(26)).toEqual([])
    const set = (amount: number) => `update colour_limits set amount = ${amount} where user_number = ${player.number}`
    expect(await corrupt(26, set(2_999_999), set(3_000_000))).toHaveLength(1)
  })

  it('names a bet placed during an exclusion', async () => {
    const player = await aPlayer(table)
    await table.call(colour.placeBet, { amount: '3', color: 'red' }, player.token)
    await table.call(colour.exclude, { days: 1 }, player.token)
    expect(await findings(26)).toEqual([])
    const set = (sign: string) =>
      `update colour_exclusions set from_at = from_at ${sign} interval '1 hour' where user_number = ${player.number}`
    expect(await corrupt(26, set('-'), set('+'))).toEqual([expect.stringContaining('was excluded')])
  })

  it('names daily totals that do not match the bets of a player with a limit', async () => {
    const player = await aPlayer(table)
    await table.call(colour.setLimit, { kind: 'loss', amount: '5' }, player.token)
    await table.call(colour.placeBet, { amount: '3', color: 'red' }, player.token)
    expect(await findings(26)).toEqual([])
    const set = (sign: string) =>
      `update colour_daily_totals set lost = lost ${sign} 1000000 where user_number = ${player.number}`
    expect(await corrupt(26, set('-'), set('+'))).toEqual([
      expect.stringMatching(`^user ${player.number} has the totals 3000000 staked and 2000000 lost`),
    ])
  })

  it('names a limit that was raised immediately', async () => {
    const player = await aPlayer(table)
    for (const amount of ['9', '8']) await table.call(colour.setLimit, { kind: 'stake', amount }, player.token)
    const set = (amount: number) =>
      `update colour_limits set amount = ${amount} where user_number = ${player.number} and amount in (8000000, 10000000)`
    expect(await corrupt(26, set(10_000_000), set(8_000_000))).toEqual([
      expect.stringContaining('raised without a signature'),
    ])
  })
})
