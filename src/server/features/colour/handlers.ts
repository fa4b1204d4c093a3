import { sql } from 'kysely'
import { betMove, betRow, type colour } from '../../../protocol/colour.ts'
import { LIMIT_RAISE_HOURS } from '../../../protocol/colour-limits.ts'
import { AppError } from '../../../protocol/errors.ts'
import { ZERO } from '../../../protocol/money.ts'
import { isInternal } from '../../../protocol/plans.ts'
import { type InputOf, PAGE_SIZE } from '../../../protocol/route.ts'
import type { Claim } from '../../chain/deposits/claims.ts'
import type { Context, Handlers, RequestContext } from '../../context.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import { findHalt } from '../../ledger/halt.ts'
import { readCsv, readPage } from '../../platform/history.ts'
import { findBlock, findRefusal } from '../declarations/declarations.ts'
import { createBetting } from './bets.ts'
import { roundOpening } from './draws.ts'
import { publicChain, readFairness } from './fairness.ts'
import { exclude, excluded, findExclusion, getLimits, proveChange, setLimit } from './limits.ts'
import { betHistory, getRound, listOpenBets, listRounds, publicRound } from './queries.ts'
import type { RoundRow } from './tables.ts'
import { payRequestedUpline } from './uplines.ts'
import {
  alreadyRecorded,
  type ChainDeposit,
  claimBetDeposit,
  moveHistory,
  moveInside,
  type Progress,
  proveBetDeposit,
} from './wallet.ts'

const NOT_HERE = 'The colour game is not available for real money on this network.'
const UPLINE_WAITS = 'Your upline will be paid once the round is settled'

/** One queue of bets per database. */
const bettingByDb = new WeakMap<Context['db'], ReturnType<typeof createBetting>>()
function bettingOf({ db }: Context) {
  const betting = bettingByDb.get(db) ?? createBetting(db)
  bettingByDb.set(db, betting)
  return betting
}

export const handlers: Handlers<typeof colour> = {
  activeGame: async (context, _input) => {
    const { db, user } = context
    const [{ now, next, round }, bets, balances, reason] = await Promise.all([
      readTable(context),
      listOpenBets(db, user.number),
      getUserBalances(db, user.number),
      whyClosed(context),
    ])
    const data = {
      now,
      round: round ? publicRound(round) : null,
      next_opens_at: next,
      bets,
      bet_balance: balances.bet,
      wallet_balance: balances.wallet,
      closed_because: reason,
    }
    return { status: 'success', Msg: 'Current round', data }
  },

  games: async ({ db }, { page_no = 1 }) => {
    const { rows, total } = await listRounds(db, page_no)
    return { status: 'success', Msg: 'Rounds', data: rows.map(publicRound), page_no, page_size: PAGE_SIZE, total }
  },

  running: async (context) => {
    const { round, next } = await readTable(context)
    const data = { round: round ? publicRound(round) : null, next_opens_at: next }
    return { status: 'success', Msg: 'Current round', data }
  },

  round: async ({ db }, { number }) => {
    const round = await getRound(db, number)
    const chain = await db
      .selectFrom('colour_chains')
      .selectAll()
      .where('id', '=', round.chain_id)
      .executeTakeFirstOrThrow()
    return { status: 'success', Msg: `Round ${number}`, data: publicRound(round), chain: publicChain(chain) }
  },

  fairness: async ({ db }) => ({ status: 'success', Msg: 'Fairness', data: await readFairness(db) }),

  placeBet: async (context, { amount, color }) => {
    const { call, change, config, user } = context
    // Even then, a repeat of an earlier bet gets its stored reply.
    if (!config.colourRealMoney) return change(async () => new AppError('not_eligible', NOT_HERE))
    const refusal = await findRefusal(context)
    if (refusal) return change(async () => refusal)
    return bettingOf(context)({ call, bet: { userNumber: user.number, colour: color, stake: amount } })
  },

  upline: async ({ change, user }, { amount }) => {
    try {
      return await change(async (tx) => {
        const paid = await payRequestedUpline(tx, user.number, amount)
        if (paid === undefined) return { status: 'success', Msg: UPLINE_WAITS, paid: ZERO }
        return { status: 'success', Msg: 'Your upline has been paid', paid }
      })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'insufficient_balance') throw error
      return { status: 'success', Msg: 'Your upline will be paid as soon as fees cover it', paid: ZERO }
    }
  },

  betHistory: async ({ db, user }, input) => {
    const { data: history, ...counts } = await readPage(db, betHistory(user.number), input)
    return { status: 'success', Msg: 'Your bets', history, ...counts }
  },

  betHistoryCsv: async ({ db, user }, input) => {
    const csv = await readCsv(db, betHistory(user.number), betRow, input)
    return { status: 'success', Msg: 'Your bets', file_name: 'bets.csv', csv }
  },

  wallet: async (context, input) => {
    const { change, chain, user, config } = context
    const { direction, amount, source, trans_hash: hash } = input
    if (direction === 'deposit' && !config.colourRealMoney) throw new AppError('not_eligible', NOT_HERE)
    if (source === 'chain') {
      const deposit = chainDepositOf(input)
      const proven = await proveBetDeposit(context, user, deposit)
      return change(async (tx) => {
        const { state } = await claimBetDeposit(tx, chain, user, deposit)
        return depositReply(state, proven)
      })
    }
    const natural = hash === undefined ? undefined : { scope: 'trans_hash', key: hash, mismatch: alreadyRecorded }
    return change(async (tx) => {
      await moveInside(tx, user.number, { direction, amount })
      const Msg = direction === 'deposit' ? 'The money is in your bet wallet' : 'The money is in your wallet'
      return { status: 'success', Msg, confirmations: 0, confirmations_needed: 0 }
    }, natural)
  },

  walletHistory: async ({ db, user }, input) => ({
    status: 'success',
    Msg: 'Your bet wallet',
    ...(await readPage(db, moveHistory(user.number), input)),
  }),

  walletHistoryCsv: async ({ db, user }, input) => {
    const csv = await readCsv(db, moveHistory(user.number), betMove, input)
    return { status: 'success', Msg: 'Your bet wallet', file_name: 'bet-wallet.csv', csv }
  },

  limits: async ({ db, user }) => ({ status: 'success', Msg: 'Your limits', data: await getLimits(db, user.number) }),

  setLimit: async (context, input) => {
    const { change, user } = context
    const isProven = await proveChange(context, user, input)
    const natural = isProven && input.nonce ? { scope: 'limit', key: input.nonce } : undefined
    return change(async (tx) => {
      await setLimit(tx, user.number, input, isProven)
      const data = await getLimits(tx, user.number)
      const Msg = data[input.kind].next
        ? `Your new limit takes effect in ${LIMIT_RAISE_HOURS} hours`
        : 'Your new limit is in effect now'
      return { status: 'success', Msg, data }
    }, natural)
  },

  exclude: ({ change, user }, { days }) =>
    change(async (tx) => {
      await exclude(tx, user.number, days)
      const data = await getLimits(tx, user.number)
      return { status: 'success', Msg: "You're now excluded from the colour game. Take care of yourself.", data }
    }),
}

type Table = { now: Date; next: Date; round: RoundRow | undefined }

/** The round that is open for bets or waiting for its draw, with the time by the database's clock. */
async function readTable({ db }: Context): Promise<Table> {
  const { rows } = await sql<{ now: Date; next: Date }>`
    select clock_timestamp() as now, ${roundOpening} + colour_round_length(clock_timestamp()) as next`.execute(db)
  const round = await db
    .selectFrom('colour_rounds')
    .selectAll()
    .where('state', '=', 'open')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!rows[0]) throw new Error('the clock query returned no row')
  return { ...rows[0], round }
}

async function whyClosed(context: RequestContext<typeof colour.activeGame>): Promise<string | null> {
  const { config, db, user } = context
  if (!config.colourRealMoney) return NOT_HERE
  const halted = await findHalt(db)
  if (halted) return `Bets are paused: ${halted.reason}`
  const until = await findExclusion(db, user.number)
  return until ? excluded(until).message : findBlock(context)
}

function chainDepositOf(input: InputOf<typeof colour.wallet>): ChainDeposit {
  const { direction, amount, trans_hash: hash, from_address: from, to_address: to } = input
  const invalid = (message: string, field: string) => new AppError('invalid_input', message, field)
  if (direction === 'withdraw')
    throw invalid('Withdraw to your wallet balance first, then from there to the chain', 'source')
  if (!hash || isInternal(hash)) throw invalid('Send the hash of your transaction', 'trans_hash')
  return { hash: hash as `0x${string}`, amount, from, to }
}

function depositReply(state: Claim['state'], { confirmations, needed }: Progress) {
  const Msg =
    state === 'credited'
      ? 'The money is in your bet wallet'
      : "Your deposit is on its way. We'll credit it automatically."
  return {
    status: state === 'credited' ? ('success' as const) : ('pending' as const),
    Msg,
    confirmations,
    confirmations_needed: needed,
  }
}
