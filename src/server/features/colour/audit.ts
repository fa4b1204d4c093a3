import { sql } from 'kysely'
import { checkDraw, checkRound, type KnownSeed } from '../../../protocol/colour-check.ts'
import { LIMIT_RAISE_HOURS } from '../../../protocol/colour-limits.ts'
import { chancePercent } from '../../../protocol/colour-odds.ts'
import { toHex } from '../../../verifier/bytes.ts'
import { type Chain, findBlock } from '../../chain/client.ts'
import { systemAccount } from '../../ledger/accounts.ts'
import type { Invariant } from '../../ledger/audit.ts'
import { entriesOf, type Findings, listFindings } from '../../ledger/findings.ts'
import { inPart, isOld, type Part, within } from '../../ledger/parts.ts'
import type { Tx } from '../../platform/db.ts'
import { hmac, sha256 } from './hashes.ts'
import { publicRound } from './queries.ts'
import type { RoundRow } from './tables.ts'

/** Without a chain, invariant 20 does not check the blocks of the rounds. */
export const colourInvariants = (chain?: Chain): Invariant[] => [
  {
    number: 20,
    name: 'Every colour round recomputes, and no bet came after closing',
    isOfHistory: true,
    check: async (tx, part) => [
      ...(await listFindings(tx, within(part, ['colour_bets'], wrongBets))),
      ...(await listFindings(tx, wrongStakes(part))),
      ...(await listFindings(tx, wrongRounds(part))),
      ...(isOld(part) ? [] : await listFindings(tx, wrongEscrow)),
      ...(await listFindings(tx, within(part, ['ledger_entries'], wrongSettlements))),
      ...(await listFindings(tx, within(part, ['colour_rounds'], unpostedRounds))),
      ...(await listFindings(tx, within(part, ['ledger_postings'], wrongUplines))),
      ...(await listFindings(tx, within(part, ['colour_uplines', 'ledger_entries'], wrongUplineAmounts))),
      ...(await recompute(tx, part)),
      ...(chain && !isOld(part) ? await checkBlocks(tx, chain) : []),
    ],
  },
  {
    number: 26,
    name: 'No bet over a limit or while excluded',
    isOfHistory: true,
    check: async (tx, part) => [
      ...(await listFindings(tx, within(part, ['colour_bets'], betsWhileExcluded))),
      ...(await listFindings(tx, betsOverLimit(part))),
      ...(isOld(part) ? [] : await listFindings(tx, wrongTotals)),
      ...(await listFindings(tx, within(part, ['colour_limits'], hastyRaises))),
    ],
  },
]

const NAMED_MAX = 10

const wrongBets: Findings = sql`
  select format('bet %s on round %s was placed at %s, outside the betting time', b.id, round, placed_at) as finding
  from colour_bets b join colour_rounds r on r.number = b.round
  where placed_at < opens_at or placed_at >= closes_at`

/** The rounds of this part, and those that have bets in it. */
const wrongStakes = (part?: Part): Findings => sql`
  select format('the stakes of round %s do not match its bets', number) as finding
  from colour_rounds r, lateral (
    select count(*) as bets, sum(stake) filter (where colour = 'green') as green,
      sum(stake) filter (where colour = 'red') as red, sum(stake) filter (where colour = 'violet') as violet
    from colour_bets where round = r.number
  ) b
  where ${
    part
      ? sql`number in (select number from colour_rounds where ${inPart(part)}
      union select round from colour_bets where ${inPart(part)}) and`
      : sql``
  }
    (r.bets, stake_green, stake_red, stake_violet) is distinct from
      (b.bets::int, coalesce(green, 0)::bigint, coalesce(red, 0)::bigint, coalesce(violet, 0)::bigint)`

// Rounds are numbered without a gap, so each one but the first and the last has two neighbours.
const wrongRounds = (part?: Part): Findings => sql`
  with round as (select * from colour_rounds where ${inPart(part)}),
    newest as (select max(number) as number from colour_rounds)
  select format('round %s was created before its seed chain was published, or is outside that chain', number) as finding
  from round r join colour_chains c on c.id = r.chain_id
  where r.created_at <= c.created_at or number < first_round or number >= first_round + length
  union all
  select format('round %s pays back more than it takes on average', number)
  from round
  where greatest(pays_green * ${chancePercent('green')}::int, pays_red * ${chancePercent('red')}::int,
    pays_violet * ${chancePercent('violet')}::int) > 100
  union all
  select format('there is a round %s and a round %s, but none with the number %s', round.number, newest.number, missing)
  from round, newest, unnest(array[round.number - 1, nullif(round.number, newest.number) + 1]) as missing
  where missing > 0 and not exists (select from colour_rounds where number = missing)`

const wrongEscrow: Findings = sql`
  select format('bet_escrow holds %s, but open rounds have stakes of %s', balance, staked) as finding
  from (
    select balance, (select coalesce(sum(stake_green + stake_red + stake_violet), 0) from colour_rounds
      where state in ('open', 'drawn')) as staked
    from ledger_accounts where id = ${systemAccount('bet_escrow')}
  ) as escrow where balance <> staked`

/** What the house won in a round; negative: what it paid. */
const won = sql`(stake_green + stake_red + stake_violet - case outcome when 'green' then stake_green * pays_green
  when 'red' then stake_red * pays_red else stake_violet * pays_violet end)`

// The house's entries must match the results of the rounds.
const wrongSettlements: Findings = sql`
  select format('settlements posted %s to the house, but round %s adds up to %s', amount, r.number, ${won}) as finding
  from ledger_entries left join colour_rounds r on r.id = reference and state = 'settled'
  where account_id = ${systemAccount('house')} and kind = 'round_settlement' and amount is distinct from ${won}`

/** A settled round with stakes has its posting, and no other round has one. */
const unpostedRounds: Findings = sql`
  select format('round %s is %s, but its settlement was %s', number, state,
    case when p.reference is null then 'not posted' else 'posted' end) as finding
  from colour_rounds r left join ledger_postings p on p.kind = 'round_settlement' and p.reference = r.id
  where (p.reference is not null) <> (state = 'settled' and bets > 0)`

// An upline is paid only for a bet of a settled round, to true ancestors, with the recorded amounts (R29).
const wrongUplines: Findings = sql`
  select format('the upline of %s was paid, but it is not a bet of a settled round', p.reference) as finding
  from ledger_postings p
  where p.kind = 'colour_upline' and not exists (
    select from colour_bets b join colour_rounds r on r.number = b.round
    where b.id = p.reference and r.state = 'settled')`

const wrongUplineAmounts: Findings = sql`
  select format('the upline of bet %s: user %s is not the ancestor on level %s', bet_id, ancestor, level) as finding
  from colour_uplines join colour_bets b on b.id = bet_id join users u on u.number = b.user_number,
    unnest(ancestors) with ordinality as earner (ancestor, level)
  where ancestor is distinct from u.path[cardinality(u.path) - level]
  union all
  select format('the upline of bet %s: %s is not %s per mille of %s', bet_id, amount, permille, stake)
  from colour_uplines join colour_bets b on b.id = bet_id, unnest(amounts, permilles) as share (amount, permille)
  where amount <> stake * permille / 1000
  union all
  select format('the upline of bet %s: user %s got %s instead of %s', coalesce(bet_id, reference),
    coalesce(ancestor, user_number), coalesce(posted.amount, 0), coalesce(recorded.amount, 0))
  from (
      select bet_id, ancestor, amount from colour_uplines, unnest(ancestors, amounts) as earner (ancestor, amount)
      where amount > 0
    ) recorded
    full join (${entriesOf('colour_upline', 'referral')}) posted on reference = bet_id and user_number = ancestor
  where recorded.amount is distinct from posted.amount`

const BATCH = 5_000

/** Recomputes the draws of the rounds of this part. Each seed must hash down to that of the round before. */
async function recompute(tx: Tx, part?: Part): Promise<string[]> {
  const findings: string[] = []
  let [after, known] = [0n, undefined as KnownSeed | undefined]
  for (;;) {
    const rounds = await readRounds(tx, part, after)
    for (const round of rounds) {
      if (known?.number !== Number(round.number) - 1) known = knownSeed(await readRoundBefore(tx, round.number))
      const problems = await checkDraw(hashes, publicRound(round), chainOf(round), known)
      findings.push(...problems.map((problem) => `round ${round.number} ${problem}`))
      if (problems.length === 0) known = knownSeed([round]) ?? known
    }
    if (findings.length >= NAMED_MAX) return findings.slice(0, NAMED_MAX)
    const last = rounds.at(-1)
    if (!last) return findings
    after = last.number
  }
}

const hashes = { hmac, sha256 }
const chainOf = ({ anchor, first_round }: Drawn) => ({ anchor: toHex(anchor), first_round: Number(first_round) })
const knownSeed = ([round]: Drawn[]): KnownSeed | undefined =>
  round?.seed ? { number: Number(round.number), seed: toHex(round.seed) } : undefined

/** Besides the rounds since the last audit that found no mistake, these are compared with the chain again. */
const NEWEST = 5
const RANDOM = 5
const BLOCKS_MAX = 100
/** Nodes forget old blocks. A block of this age must still be there; the development chain keeps an hour. */
const RECENT_MINUTES = 30

/** Compares the blocks of the newest rounds, and of some older ones, with the chain. An error of the node is thrown. */
async function checkBlocks(tx: Tx, chain: Chain): Promise<string[]> {
  const { rows } = await sql<Drawn & { is_recent: boolean }>`
    with newest as (select max(number) as number from colour_rounds)
    select r.*, c.anchor, c.first_round, finished_at > now() - make_interval(mins => ${RECENT_MINUTES}) as is_recent
    from colour_rounds r join colour_chains c on c.id = r.chain_id
    where state in ('drawn', 'settled') and (
      r.number > (select number from newest) - ${NEWEST}
      or finished_at > (select max(at) from audit_runs where 20 = any (held))
      or r.number = any (array(
        select ceil(random() * newest.number)::bigint from newest, generate_series(1, ${RANDOM}))))
    order by r.number desc limit ${BLOCKS_MAX}`.execute(tx)
  const readBlock = async (number: number) => {
    const block = await findBlock(chain, BigInt(number))
    return block ? { hash: block.hash, timestamp: Number(block.timestamp) } : null
  }
  const findings: string[] = []
  for (const row of rows) {
    if (!row.is_recent && !(await readBlock(Number(row.block_number)))) continue
    const problems = await checkRound(hashes, readBlock, publicRound(row), chainOf(row))
    findings.push(...problems.map((problem) => `round ${row.number} ${problem}`))
  }
  return findings.slice(0, NAMED_MAX)
}

type Drawn = RoundRow & { anchor: Buffer; first_round: bigint }

async function readRounds(tx: Tx, part: Part | undefined, after: bigint): Promise<Drawn[]> {
  const { rows } = await sql<Drawn>`
    select r.*, c.anchor, c.first_round from colour_rounds r join colour_chains c on c.id = r.chain_id
    where number > ${after} and ${inPart(part, 'r.tx')}
      and number < coalesce((select min(number) from colour_rounds where state = 'open'), 9e18::bigint)
    order by number limit ${BATCH}`.execute(tx)
  return rows
}

/** The newest round before this one with a seed, if it is one of the same chain. */
async function readRoundBefore(tx: Tx, number: bigint): Promise<Drawn[]> {
  const { rows } = await sql<Drawn>`
    select r.*, c.anchor, c.first_round from colour_rounds r join colour_chains c on c.id = r.chain_id
    where number < ${number} and seed is not null
      and chain_id = (select chain_id from colour_rounds where number = ${number})
    order by number desc limit 1`.execute(tx)
  return rows
}

const betsWhileExcluded: Findings = sql`
  select format('bet %s was placed while user %s was excluded', b.id, b.user_number) as finding
  from colour_bets b join colour_exclusions e on e.user_number = b.user_number
  where placed_at >= from_at and placed_at < until_at`

// Replays each day's events in order: a stake counts when the bet is placed, a payout or refund when the round ends.
// Until then an open bet counts as lost, as it did when the bet was accepted.
const betsOverLimit = (part?: Part): Findings => sql`
  with day as (
    select distinct user_number, (placed_at at time zone 'utc')::date as day from colour_bets
    where ${inPart(part)} and user_number in (select user_number from colour_limits)
  ), result as (
    select b.*, day from day join colour_results b on b.user_number = day.user_number
      and placed_at >= day::timestamp at time zone 'utc' and placed_at < (day + 1)::timestamp at time zone 'utc'
  ), event as (
    select id, user_number, day, placed_at as at, true as is_bet, stake as staked, stake as lost from result
    union all
    select id, user_number, day, finished_at, false, case state when 'refunded' then -stake else 0 end, -payout
    from result where finished_at is not null
  ), running as (
    select id, user_number, at, is_bet, sum(staked) over today as staked, sum(lost) over today as lost
    from event window today as (partition by user_number, day order by at, is_bet rows unbounded preceding)
  )
  select format('bet %s exceeds a limit of user %s: staked %s, lost %s that day', id, user_number, staked, lost) as finding
  from running
  where is_bet and (staked > colour_limit_at(user_number, 'stake', at) or lost > colour_limit_at(user_number, 'loss', at))`

// The totals that limits are checked with, for players who have a limit. They count a payout once the round is settled.
const wrongTotals: Findings = sql`
  with moment as (select date_trunc('day', now(), 'UTC') - interval '1 day' as since), bets as (
    select b.user_number, (placed_at at time zone 'UTC')::date as day,
      coalesce(sum(stake) filter (where r.state <> 'refunded'), 0)::bigint as staked,
      sum(stake - case when r.state in ('settled', 'refunded') then payout else 0 end)::bigint as lost
    from moment, colour_results b join colour_rounds r on r.number = b.round
    where b.user_number in (select user_number from colour_limits) and placed_at >= since group by 1, 2
  ), totals as (
    select t.* from moment, colour_daily_totals t
    where user_number in (select user_number from colour_limits) and day >= (since at time zone 'UTC')::date
  )
  select format('user %s has the totals %s staked and %s lost on %s, but the bets add up to %s and %s', user_number,
    totals.staked, totals.lost, day, bets.staked, bets.lost) as finding
  from bets full join totals using (user_number, day)
  where (totals.staked, totals.lost) is distinct from (bets.staked, bets.lost)`

const hastyRaises: Findings = sql`
  select format('the %s limit of user %s was raised without a signature or too early', kind, user_number) as finding
  from (
    select *, colour_limit_at(user_number, kind, asked_at - interval '1 microsecond') as before from colour_limits
  ) as limits
  where before is not null and (amount is null or amount > before)
    and (signature is null or acts_at < asked_at + make_interval(hours => ${LIMIT_RAISE_HOURS}))`
