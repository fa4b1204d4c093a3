import { sql } from 'kysely'
import type { colour } from '../../../protocol/colour.ts'
import { type Colour, chancePercent, colours, RETURN_PERCENT } from '../../../protocol/colour-odds.ts'
import type { Usdt } from '../../../protocol/money.ts'
import type { OutputOf } from '../../../protocol/route.ts'
import { toHex } from '../../../verifier/bytes.ts'
import type { Db } from '../../platform/db.ts'

export type Fairness = OutputOf<typeof colour.fairness>['data']

type Totals = {
  measured_at: Date
  rounds: bigint
  refunded: bigint
  green: bigint
  red: bigint
  violet: bigint
  staked: Usdt
  paid: Usdt
  rounds_with_bets: bigint
  dearest_won: bigint
  dearest_expected: number
  deviation: number
}

/**
 * Statistics that show whether the draws depend on the stakes. On average a fair round pays back the same share of its
 * stakes, however they are spread. A house that rigged its draws would pay back less, and the dearest colour, the one
 * with the highest payout, would win too rarely.
 */
export async function readFairness(db: Db): Promise<Fairness> {
  const chains = await db.selectFrom('colour_chains').selectAll().orderBy('first_round').execute()
  const totals = await readTotals(db)
  const rounds = Number(totals.rounds)
  const counts = colours.map((color) => ({
    color,
    count: Number(totals[color]),
    expected: (rounds * chancePercent(color)) / 100,
  }))
  return {
    measured_at: totals.measured_at,
    chains: chains.map((chain) => publicChain(chain)),
    rounds,
    refunded: Number(totals.refunded),
    colors: counts,
    chi_square:
      rounds === 0 ? 0 : counts.reduce((sum, { count, expected }) => sum + (count - expected) ** 2 / expected, 0),
    staked: totals.staked,
    paid: totals.paid,
    dearest_won: Number(totals.dearest_won),
    dearest_expected: totals.dearest_expected,
    rounds_with_bets: Number(totals.rounds_with_bets),
    paid_deviation: totals.deviation,
  }
}

type Chain = { anchor: Buffer; first_round: bigint; length: number; created_at: Date }

export const publicChain = ({ anchor, first_round, length, created_at }: Chain) => ({
  anchor: toHex(anchor),
  first_round: Number(first_round),
  length,
  published_at: created_at,
})

const chance = (name: Colour) => sql`${chancePercent(name) / 100}::float8`
const meanShare = sql`${Number(RETURN_PERCENT) / 100}::float8`
const pays = (name: Colour) => sql`${sql.ref(`stake_${name}`)} * ${sql.ref(`pays_${name}`)}`

// The variance of a round's payout is the mean of the squares minus the square of the mean. Floats are fine here: the
// result only measures a deviation and moves no money.
async function readTotals(db: Db): Promise<Totals> {
  const { rows } = await sql<Totals>`
    with settled as (
      select outcome, stake_green + stake_red + stake_violet as staked,
        ${pays('green')} as green, ${pays('red')} as red, ${pays('violet')} as violet
      from colour_rounds where state = 'settled'
    ), paid as (
      select *, case outcome when 'green' then green when 'red' then red else violet end as paid,
        greatest(green, red, violet) as dearest
      from settled
    )
    select statement_timestamp() as measured_at, count(*) as rounds,
      (select count(*) from colour_rounds where state = 'refunded') as refunded,
      count(*) filter (where outcome = 'green') as green,
      count(*) filter (where outcome = 'red') as red,
      count(*) filter (where outcome = 'violet') as violet,
      coalesce(sum(staked), 0)::bigint as staked, coalesce(sum(paid), 0)::bigint as paid,
      count(*) filter (where staked > 0) as rounds_with_bets,
      count(*) filter (where staked > 0 and paid = dearest) as dearest_won,
      coalesce(sum((green = dearest)::int * ${chance('green')} + (red = dearest)::int * ${chance('red')}
        + (violet = dearest)::int * ${chance('violet')}) filter (where staked > 0), 0)::float8 as dearest_expected,
      coalesce((sum(paid) - ${meanShare} * sum(staked)) / nullif(sqrt(sum(
        ${chance('green')} * green::float8 * green + ${chance('red')} * red::float8 * red
        + ${chance('violet')} * violet::float8 * violet - (${meanShare} * staked::float8) ^ 2
      )), 0), 0)::float8 as deviation
    from paid`.execute(db)
  if (!rows[0]) throw new Error('an aggregate returned no row')
  return rows[0]
}
