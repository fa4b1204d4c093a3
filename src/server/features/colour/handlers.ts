import { sql } from 'kysely'
import type { colour } from '../../../protocol/colour.ts'
import { AppError } from '../../../protocol/errors.ts'
import { ZERO } from '../../../protocol/money.ts'
import { PAGE_SIZE } from '../../../protocol/route.ts'
import type { Context, Handlers } from '../../context.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import { findHalt } from '../../ledger/halt.ts'
import { transaction } from '../../platform/db.ts'
import { placeBet } from './bets.ts'
import { publicChain, readFairness } from './fairness.ts'
import { exclude, excluded, findExclusion, getLimits, proveChange, setLimit } from './limits.ts'
import { getRound, listBets, listOpenBets, listRounds, publicRound } from './queries.ts'
import type { RoundRow } from './tables.ts'
import { payAskedUpline } from './uplines.ts'
import { depositFromChain, listMoves, moveInside } from './wallet.ts'

const NOT_HERE = 'The colour game with real money is not open on this network.'

export const handlers: Handlers<typeof colour> = {
  activeGame: async (context, _input) => {
    const { db, user } = context
    const [{ now, next, round }, bets, balances, reason] = await Promise.all([
      readTable(context),
      listOpenBets(db, user.number),
      getUserBalances(db, user.number),
      whyClosed(context, user.number),
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
    return { status: 'success', Msg: 'The round', data }
  },

  games: async ({ db }, { page_no = 1 }) => {
    const { rows, total } = await listRounds(db, page_no)
    return { status: 'success', Msg: 'Rounds', data: rows.map(publicRound), page_no, page_size: PAGE_SIZE, total }
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

  placeBet: async ({ db, config, user, idempotencyKey }, { amount, color }) => {
    if (!config.colourRealMoney) throw new AppError('not_eligible', NOT_HERE)
    const bet = { userNumber: user.number, colour: color, stake: amount, key: idempotencyKey }
    const data = await transaction(db, (tx) => placeBet(tx, bet))
    return { status: 'success', Msg: `Your bet is in round ${data.round}`, data }
  },

  upline: async ({ db, user, idempotencyKey }, { amount }) => {
    try {
      const paid = await transaction(db, (tx) => payAskedUpline(tx, user.number, amount, idempotencyKey))
      return { status: 'success', Msg: 'Your upline has been paid', paid }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'insufficient_balance') throw error
      return { status: 'success', Msg: 'Your upline will be paid as soon as fees cover it', paid: ZERO }
    }
  },

  betHistory: async ({ db, user }, { page_no = 1 }) => {
    const { rows, total } = await listBets(db, user.number, page_no)
    return { status: 'success', Msg: 'Your bets', history: rows, page_no, page_size: PAGE_SIZE, total }
  },

  wallet: async (context, input) => {
    const { db, user, config, idempotencyKey } = context
    const { direction, amount, source, trans_hash: hash } = input
    if (source === 'chain') {
      if (direction === 'withdraw')
        throw new AppError(
          'invalid_input',
          'Withdraw to your wallet balance first, and from there to the chain',
          'source',
        )
      if (!config.colourRealMoney) throw new AppError('not_eligible', NOT_HERE)
      if (!hash || hash.startsWith('internal'))
        throw new AppError('invalid_input', 'Send the hash of your transaction', 'trans_hash')
      const deposit = { hash: hash as `0x${string}`, amount, from: input.from_address, to: input.to_address }
      return depositReply(await depositFromChain(context, user, deposit))
    }
    if (direction === 'deposit' && !config.colourRealMoney) throw new AppError('not_eligible', NOT_HERE)
    await transaction(db, (tx) => moveInside(tx, user.number, { direction, amount, key: hash ?? idempotencyKey }))
    const Msg = direction === 'deposit' ? 'The money is in your bet wallet' : 'The money is in your wallet'
    return { status: 'success', Msg, confirmations: 0, confirmations_needed: 0 }
  },

  walletHistory: async ({ db, user }, { page_no = 1 }) => {
    const { rows, total } = await listMoves(db, user.number, page_no)
    return { status: 'success', Msg: 'Your bet wallet', data: rows, page_no, page_size: PAGE_SIZE, total }
  },

  limits: async ({ db, user }) => ({ status: 'success', Msg: 'Your limits', data: await getLimits(db, user.number) }),

  setLimit: async (context, input) => {
    const { db, user } = context
    const isProven = await proveChange(context, user, input)
    await transaction(db, (tx) => setLimit(tx, user.number, input, isProven))
    const data = await getLimits(db, user.number)
    const Msg = data[input.kind].next ? 'Your new limit acts in 24 hours' : 'Your new limit acts now'
    return { status: 'success', Msg, data }
  },

  exclude: async ({ db, user }, { days }) => {
    await transaction(db, (tx) => exclude(tx, user.number, days))
    const data = await getLimits(db, user.number)
    return { status: 'success', Msg: 'You are excluded from the colour game. Take good care.', data }
  },
}

type Table = { now: Date; next: Date; round: RoundRow | undefined }

/** The round that takes bets or waits for its draw, by the database's clock. */
async function readTable({ db }: Context): Promise<Table> {
  const { rows } = await sql<{ now: Date; next: Date }>`
    select clock_timestamp() as now, date_trunc('minute', clock_timestamp()) + interval '1 minute' as next`.execute(db)
  const round = await db
    .selectFrom('colour_rounds')
    .selectAll()
    .where('state', '=', 'open')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!rows[0]) throw new Error('a clock without a row')
  return { ...rows[0], round }
}

async function whyClosed({ config, db }: Context, userNumber: number): Promise<string | null> {
  if (!config.colourRealMoney) return NOT_HERE
  const halted = await findHalt(db)
  if (halted) return `Bets are paused: ${halted.reason}`
  const until = await findExclusion(db, userNumber)
  return until && excluded(until).message
}

function depositReply({ state, confirmations, needed }: Awaited<ReturnType<typeof depositFromChain>>) {
  const Msg =
    state === 'credited' ? 'The money is in your bet wallet' : 'Your deposit is on its way and arrives by itself'
  return {
    status: state === 'credited' ? ('success' as const) : ('pending' as const),
    Msg,
    confirmations,
    confirmations_needed: needed,
  }
}
