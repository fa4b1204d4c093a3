import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { type Colour, colours } from '../src/protocol/colour-odds.ts'
import { micro, parseUsdt } from '../src/protocol/money.ts'
import { colourInvariants } from '../src/server/features/colour/audit.ts'
import type { NewBet } from '../src/server/features/colour/betting.ts'
import { bindBlock, ensureChain, revealRound } from '../src/server/features/colour/draws.ts'
import { finishRound as payRound } from '../src/server/features/colour/rounds.ts'
import { formatReport, runAudit } from '../src/server/ledger/audit.ts'
import { creditOperator, fundPool } from '../src/server/ledger/funding.ts'
import { ledgerInvariants } from '../src/server/ledger/invariants.ts'
import { type Db, newId, transaction } from '../src/server/platform/db.ts'

const PLAYERS = 10_000
/** Each bet is a small fraction of it, so that only violet bets are refused. */
const HOUSE = parseUsdt('2000')

/** Players with money, every tenth of them with two limits, and a house. */
export async function fillTable(db: Db, owner: pg.Client): Promise<void> {
  await owner.query(`
    insert into users (id, username, wallet_address, referral_code)
    select new_id(), 'bench_' || n, '0x' || lpad(to_hex(n), 40, '0'), upper(lpad(to_hex(n), 8, '0'))
    from generate_series(1, ${PLAYERS}) as n`)
  await owner.query('select ledger_open_accounts(number) from users')
  await owner.query(`
    select ledger_post('bet_deposit', new_id(), null, null, array_agg(ledger_custody()), array_agg(number * 16::bigint + 4),
      array_agg(1000000000000)) from users`)
  await owner.query(`
    insert into colour_limits (user_number, kind, amount, asked_at, acts_at)
    select number, kind, 900000000000, now(), now() from users, unnest(array['loss', 'stake']) as kind
    where number % 10 = 0`)
  await transaction(db, async (tx) => {
    await ensureChain(tx, 1_000)
    await creditOperator(tx, { reference: newId(), amount: HOUSE })
    await fundPool(tx, 'house', { reference: newId(), amount: HOUSE })
  })
  // Not the tables that are still empty: PostgreSQL would plan for empty ones until it analyzes them again.
  await owner.query('vacuum analyze users, ledger_accounts, colour_limits')
}

const random = (below: number) => Math.floor(Math.random() * below)

export const randomBet = (): NewBet => ({
  userNumber: 1 + random(PLAYERS),
  colour: colours[random(20) === 0 ? 2 : random(2)] as Colour,
  stake: micro(BigInt(100_000 + random(900_000))),
})

/** A round that stays open for the measurements. Others can open only the round of this minute. */
export async function openLongRound(owner: pg.Client): Promise<bigint> {
  await owner.query(`begin; set local session_replication_role = replica;
    insert into colour_rounds (number, id, chain_id, opens_at, closes_at, pays_green, pays_red, pays_violet, result_seconds)
    values (1, new_id(), 1, clock_timestamp(), clock_timestamp() + interval '1 hour', 2, 2, 24, 60); commit`)
  return 1n
}

/** Closes the round if it is open, draws and pays it. Returns how long paying took. */
export async function finishRound(db: Db, owner: pg.Client, round: bigint): Promise<number> {
  await owner.query(`begin; set local session_replication_role = replica;
    update colour_rounds set closes_at = least(closes_at, clock_timestamp()) where number = ${round}; commit`)
  const hash = `0x${randomBytes(32).toString('hex')}`
  const block = { number: round, hash, at: new Date(Date.now() + 1_000) }
  await transaction(db, (tx) => bindBlock(tx, round, block))
  await transaction(db, (tx) => revealRound(tx, round))
  const began = performance.now()
  await transaction(db, (tx) => payRound(tx, round))
  return performance.now() - began
}

/** The results are valid only if money, rounds, bets and totals agree. */
export async function requireCleanAudit(db: Db): Promise<void> {
  const audit = await runAudit(db, [...ledgerInvariants, ...colourInvariants()])
  if (!audit.passed) throw new Error(formatReport(audit))
}
