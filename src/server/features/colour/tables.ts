import type { ColumnType, Generated } from 'kysely'
import type { Bet } from '../../../protocol/colour.ts'
import type { Colour } from '../../../protocol/colour-odds.ts'
import type { Usdt } from '../../../protocol/money.ts'

export type ColourTables = {
  colour_chains: { id: number; anchor: Buffer; length: number; first_round: bigint; created_at: Date }
  /** No role may read this table. `colour_reveal` copies a seed to its round once it is due. */
  colour_seeds: { chain_id: number; position: number; seed: Buffer }
  colour_rounds: RoundTable
  colour_bets: {
    id: string
    round: bigint
    user_number: number
    colour: Colour
    stake: Usdt
    /** Inserted as text, because a Date has no microseconds. */
    placed_at: ColumnType<Date, string | undefined, never>
  }
  colour_results: ResultRow
  /** Triggers keep it up to date. */
  colour_daily_totals: {
    user_number: number
    day: string
    staked: ColumnType<Usdt, never, never>
    lost: ColumnType<Usdt, never, never>
  }
  colour_uplines: {
    bet_id: string
    ancestors: number[]
    amounts: bigint[]
    permilles: number[]
    paid_at: Generated<Date>
  }
  colour_upline_queue: { bet_id: string }
  colour_wallet_moves: {
    id: string
    user_number: number
    direction: 'deposit' | 'withdraw'
    amount: Usdt
    moved_at: Generated<Date>
  }
  colour_limits: {
    id: Generated<bigint>
    user_number: number
    kind: 'loss' | 'stake'
    amount: Usdt | null
    asked_at: Generated<Date>
    acts_at: Date
    nonce: string | null
    signature: string | null
  }
  colour_exclusions: { id: Generated<bigint>; user_number: number; from_at: Generated<Date>; until_at: Date }
}

type RoundTable = {
  number: bigint
  id: string
  chain_id: number
  opens_at: Date
  closes_at: Date
  state: Generated<'open' | 'drawn' | 'settled' | 'refunded'>
  bets: Generated<number>
  stake_green: Generated<Usdt>
  stake_red: Generated<Usdt>
  stake_violet: Generated<Usdt>
  pays_green: bigint
  pays_red: bigint
  pays_violet: bigint
  result_seconds: number
  block_number: bigint | null
  block_hash: string | null
  block_at: Date | null
  bound_at: Generated<Date | null>
  seed: Buffer | null
  draw: number | null
  outcome: Colour | null
  finished_at: Date | null
  created_at: Generated<Date>
  /** The ids of the transactions that created the round and bound its block. */
  created_in: Generated<string | null>
  bound_in: Generated<string | null>
}

/** A row of `colour_rounds`. */
export type RoundRow = {
  [Column in keyof RoundTable]: RoundTable[Column] extends Generated<infer Value> ? Value : RoundTable[Column]
}

export type ResultRow = {
  id: string
  round: bigint
  user_number: number
  colour: Colour
  stake: Usdt
  placed_at: Date
  draw: number | null
  outcome: Colour | null
  finished_at: Date | null
  state: Bet['state']
  payout: Usdt
}
