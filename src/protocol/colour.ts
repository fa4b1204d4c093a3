import { z } from 'zod'
import { EXCLUSION_DAYS, LIMIT_RAISE_HOURS, limitKinds, limits } from './colour-limits.ts'
import { colours } from './colour-odds.ts'
import { historyCsv, historyQuery, numberText } from './history.ts'
import { address, id } from './ids.ts'
import { usdt, usdtInput } from './money.ts'
import { paymentProgress, transHash } from './plans.ts'
import { nothing, page, route, success } from './route.ts'
import { instant } from './time.ts'

const color = z.enum(colours)
const hex32 = z.string().regex(/^[0-9a-f]{64}$/)
const roundNumber = z.int().min(1)
const betId = id('bet')

/** The public data of a round. Seed, block and draw are set once it has ended. */
export const roundRow = z.strictObject({
  number: roundNumber,
  opens_at: instant,
  closes_at: instant,
  state: z.enum(['open', 'settled', 'refunded']),
  bets: z.int(),
  stakes: z.strictObject({ green: usdt, red: usdt, violet: usdt }),
  block_number: z.int().nullable(),
  block_hash: z.string().nullable(),
  seed: hex32.nullable(),
  draw: z.int().nullable(),
  color: color.nullable(),
  finished_at: instant.nullable(),
})
export type Round = z.output<typeof roundRow>

const chain = z.strictObject({ anchor: hex32, first_round: roundNumber, length: z.int(), published_at: instant })

export const betRow = z.strictObject({
  id: betId,
  round: roundNumber,
  color,
  amount: usdt,
  placed_at: instant,
  state: z.enum(['open', 'won', 'lost', 'refunded']),
  payout: usdt,
  draw: z.int().nullable(),
  outcome: color.nullable(),
})
export type Bet = z.output<typeof betRow>

/** Money moved into or out of the bet wallet. */
export const betMove = z.strictObject({
  direction: z.enum(['deposit', 'withdraw']),
  source: z.enum(['chain', 'wallet']),
  amount: usdt,
  trans_hash: z.string().nullable(),
  state: z.enum(['done', 'pending', 'failed', 'to wallet']),
  date: instant,
})
export type BetMove = z.output<typeof betMove>

const betFilters = { state: betRow.shape.state.optional() }
const moveFilters = { direction: betMove.shape.direction.optional(), state: betMove.shape.state.optional() }

export const colour = {
  activeGame: route({
    method: 'GET',
    path: '/active-game/',
    summary: 'The round that is open or being drawn, and your bets in it',
    auth: 'user',
    input: nothing,
    output: success({
      data: z.strictObject({
        now: instant,
        round: roundRow.nullable(),
        next_opens_at: instant,
        bets: z.array(betRow),
        bet_balance: usdt,
        wallet_balance: usdt,
        /** Why betting is closed, as a message for the user; null while it is open. */
        closed_because: z.string().nullable(),
      }),
    }),
  }),
  games: route({
    method: 'GET',
    path: '/games/',
    summary: 'Finished rounds, newest first',
    auth: 'none',
    shared: true,
    input: z.strictObject({ page_no: numberText.optional() }),
    output: page(roundRow),
  }),
  running: route({
    method: 'GET',
    path: '/colour/running/',
    summary: 'The round that is open or being drawn, for everyone. The event `round` follows with every change',
    auth: 'none',
    shared: true,
    input: nothing,
    output: success({ data: z.strictObject({ round: roundRow.nullable(), next_opens_at: instant }) }),
  }),
  round: route({
    method: 'GET',
    path: '/colour/rounds/{number}/',
    summary: 'One round with everything needed to verify it',
    auth: 'none',
    input: z.strictObject({ number: numberText }),
    output: success({ data: roundRow, chain }),
    errors: ['not_found'],
  }),
  fairness: route({
    method: 'GET',
    path: '/colour/fairness/',
    summary: 'The published anchors, and statistics that show whether stakes influence the draws',
    auth: 'none',
    shared: true,
    input: nothing,
    output: success({
      data: z.strictObject({
        /** When the figures were read. The reply may be sent later, because callers share it. */
        measured_at: instant,
        chains: z.array(chain),
        rounds: z.int(),
        refunded: z.int(),
        colors: z.array(z.strictObject({ color, count: z.int(), expected: z.number() })),
        /** Pearson's chi-square of the three counts, two degrees of freedom. Chance exceeds 13.8 once in a thousand. */
        chi_square: z.number(),
        staked: usdt,
        paid: usdt,
        /** How often the most expensive colour for the house won, and how often chance predicts it. */
        dearest_won: z.int(),
        dearest_expected: z.number(),
        rounds_with_bets: z.int(),
        /** Actual less expected payouts, in standard deviations: within ±3 unless stakes influence the draw. */
        paid_deviation: z.number(),
      }),
    }),
  }),
  placeBet: route({
    method: 'POST',
    path: '/place-bet/',
    summary: 'Bet on a colour in the open round',
    auth: 'user',
    changes: true,
    limit: 'money',
    input: z.strictObject({ amount: usdtInput, color }),
    output: success({ data: betRow }),
    errors: [
      'round_closed',
      'round_full',
      'limit_reached',
      'self_excluded',
      'insufficient_balance',
      'amount_below_minimum',
      'amount_above_limit',
      'not_eligible',
      'declaration_required',
      'country_blocked',
      'halted',
    ],
  }),
  upline: route({
    method: 'POST',
    path: '/colorupline_referral/',
    summary: 'Pay the upline rewards for your bet of this amount, once per bet and only after its round is settled',
    auth: 'user',
    changes: true,
    limit: 'money',
    input: z.strictObject({ amount: usdtInput }),
    output: success({ paid: usdt }),
    errors: ['amount_mismatch'],
  }),
  betHistory: route({
    method: 'GET',
    path: '/bet_history/',
    summary: 'Your bets, newest first',
    auth: 'user',
    input: historyQuery(betFilters),
    output: success({ history: z.array(betRow), page_no: z.int(), page_size: z.int(), total: z.int() }),
  }),
  betHistoryCsv: historyCsv({ path: '/bet_history_csv/', summary: 'Your bets as a CSV file', filters: betFilters }),
  wallet: route({
    method: 'POST',
    path: '/betwallet/',
    summary: 'Move money into the bet wallet or back',
    auth: 'user',
    changes: true,
    limit: 'money',
    input: z.strictObject({
      direction: z.enum(['deposit', 'withdraw']),
      amount: usdtInput,
      source: z.enum(['chain', 'wallet']),
      from_address: address.optional(),
      to_address: address.optional(),
      trans_hash: transHash.optional(),
    }),
    output: z.strictObject(paymentProgress),
    errors: [
      'already_recorded',
      'insufficient_balance',
      'self_excluded',
      'not_eligible',
      'payment_refused',
      'chain_unavailable',
      'invalid_input',
      'rate_limited',
    ],
  }),
  walletHistory: route({
    method: 'GET',
    path: '/betwallet_history/',
    summary: 'Money moved into and out of the bet wallet, newest first',
    auth: 'user',
    input: historyQuery(moveFilters),
    output: page(betMove),
  }),
  walletHistoryCsv: historyCsv({
    path: '/betwallet_history_csv/',
    summary: 'Money moved into and out of the bet wallet as a CSV file',
    filters: moveFilters,
  }),
  limits: route({
    method: 'GET',
    path: '/colour/limits/',
    summary: 'Your limits, your self-exclusion, and what you have staked and lost',
    auth: 'user',
    input: nothing,
    output: success({ data: limits }),
  }),
  setLimit: route({
    method: 'POST',
    path: '/colour/limits/',
    summary: `Set a daily limit. A stricter one takes effect immediately. A looser one needs your wallet's signature and takes effect after ${LIMIT_RAISE_HOURS} hours`,
    auth: 'user',
    changes: true,
    limit: 'protect',
    input: z.strictObject({
      kind: z.enum(limitKinds),
      amount: usdtInput.nullable().meta({ description: 'USDT a day, or null for no limit' }),
      nonce: z
        .string()
        .regex(/^[\x21-\x7e]{8,80}$/, 'The nonce must be 8 to 80 visible characters')
        .optional(),
      deadline: z.int().positive().optional(),
      signature: z
        .string()
        .regex(/^0x[0-9a-fA-F]+$/)
        .max(4_000)
        .optional(),
    }),
    output: success({ data: limits }),
    errors: ['signature_refused'],
  }),
  exclude: route({
    method: 'POST',
    path: '/colour/exclusion/',
    summary: `Exclude yourself from the colour game for a number of days (${EXCLUSION_DAYS.join(', ')}). This cannot be shortened`,
    auth: 'user',
    changes: true,
    limit: 'protect',
    input: z.strictObject({ days: z.literal(EXCLUSION_DAYS) }),
    output: success({ data: limits }),
  }),
}
