import { z } from 'zod'
import { type MoneySource, moneySource } from './balance.ts'
import { brand } from './brand.ts'
import { history, historyCsv } from './history.ts'
import { type Address, address, id } from './ids.ts'
import { feeInput, formatUsdt, portion, subtract, type Usdt, usdt, usdtInput } from './money.ts'
import { immatureRefusal, type Matured } from './referral-maturity.ts'
import { route, success } from './route.ts'
import { amountRefusals, type Refusal } from './rules.ts'
import { instant } from './time.ts'
import { type SignedTerms, unixSeconds, walletSignature } from './wallet-signature.ts'

const withdrawalId = id('withdrawal')

const withdrawalState = z.enum(['requested', 'waiting', 'signed', 'sent', 'paid', 'refused', 'refunded'])
export type WithdrawalState = z.infer<typeof withdrawalState>

export function withdrawalParts(amount: Usdt, feePercent: number | bigint): { fee: Usdt; net: Usdt } {
  const fee = portion(amount, BigInt(feePercent), 100n)
  return { fee, net: subtract(amount, fee) }
}

/** `matured` limits what may leave of the referral balance. */
type WithdrawalBounds = { amountMin: Usdt; held: Usdt; matured?: Matured | undefined; outflowLeft: Usdt }

export function refuseWithdrawal(amount: Usdt | undefined, bounds: WithdrawalBounds): Refusal | undefined {
  const { amountMin, held, matured, outflowLeft } = bounds
  if (amount === undefined) return amountRefusals.missing
  if (amount < amountMin)
    return { code: 'amount_below_minimum', message: `Minimum amount is ${formatUsdt(amountMin)} USDT` }
  if (amount > held) return amountRefusals.overdrawn
  if (matured !== undefined && amount > matured.amount) return immatureRefusal(matured)
  if (amount > outflowLeft)
    return { code: 'amount_above_limit', message: `You can withdraw ${formatUsdt(outflowLeft)} USDT more today` }
  return undefined
}

/** What can still go out today without an operator: each, by this user, and by all users together. */
export type AutomaticBounds = { each: Usdt; userLeft: Usdt; productLeft: Usdt }

/** Why an operator must look at a withdrawal before it is sent; undefined if it is sent automatically. */
export function reviewReason(amount: Usdt, { each, userLeft, productLeft }: AutomaticBounds): string | undefined {
  if (amount > each) return `An operator will look at this one: it is above ${formatUsdt(each)} USDT.`
  if (amount > userLeft)
    return `An operator will look at this one: today you can withdraw ${formatUsdt(userLeft)} USDT more without a review.`
  if (amount > productLeft) return 'An operator will look at this one: many withdrawals were made today.'
  return undefined
}

export type WithdrawalOrder = SignedTerms & { amount: Usdt; fee: Usdt; source: MoneySource; address: Address }

/** The message the user's wallet shows and signs (EIP-712, R11). The fee is part of it, so it cannot change afterwards. */
export const withdrawalTypedData = ({ amount, fee, source, address, nonce, deadline, chainId }: WithdrawalOrder) => ({
  domain: { name: brand.name, version: '1', chainId },
  types: {
    Withdrawal: [
      { name: 'action', type: 'string' },
      { name: 'amount', type: 'string' },
      { name: 'fee', type: 'string' },
      { name: 'source', type: 'string' },
      { name: 'address', type: 'address' },
      { name: 'nonce', type: 'string' },
      { name: 'deadline', type: 'uint256' },
    ],
  } as const,
  primaryType: 'Withdrawal' as const,
  message: {
    action: 'withdraw',
    amount: `${formatUsdt(amount)} USDT`,
    fee: `${formatUsdt(fee)} USDT`,
    source,
    address,
    nonce,
    deadline: unixSeconds(deadline),
  },
})

/** The message of the withdrawals whose row says that the fee was not signed. Only the audit still verifies it. */
export function withdrawalTypedDataWithoutFee(order: WithdrawalOrder) {
  const { types, message, ...data } = withdrawalTypedData(order)
  const { fee: _fee, ...rest } = message
  const [action, amount, _feeType, source, address, nonce, deadline] = types.Withdrawal
  return { ...data, types: { Withdrawal: [action, amount, source, address, nonce, deadline] } as const, message: rest }
}

export const withdrawalRow = z.strictObject({
  id: withdrawalId,
  amount: usdt,
  fee: usdt,
  net: usdt,
  source: moneySource,
  address,
  state: withdrawalState,
  confirmations: z.int(),
  confirmations_needed: z.int(),
  /** Why it is waiting, or why it ended without a payment. */
  note: z.string().nullable(),
  tx_hash: z.string().nullable(),
  requested_at: instant,
  changed_at: instant,
})
export type Withdrawal = z.output<typeof withdrawalRow>

const filters = { state: withdrawalState.optional() }

export const withdrawals = {
  request: route({
    method: 'POST',
    path: '/withdraw_request/',
    summary: 'Withdraw USDT to your wallet, signed by that wallet (EIP-712)',
    auth: 'user',
    changes: true,
    limit: 'money',
    input: z.strictObject({
      amount: usdtInput,
      /** The fee that the user was shown and signed. Refused with `amount_mismatch` if the terms now say another. */
      fee: feeInput,
      source: moneySource,
      ...walletSignature,
    }),
    output: success({ data: withdrawalRow }),
    errors: [
      'amount_below_minimum',
      'amount_above_limit',
      'amount_mismatch',
      'too_early',
      'insufficient_balance',
      'signature_refused',
      'halted',
      'chain_unavailable',
    ],
  }),
  history: history({
    path: '/withdraw_history/',
    summary: 'Your withdrawals, newest first, with their states',
    filters,
    row: withdrawalRow,
  }),
  historyCsv: historyCsv({ path: '/withdraw_history_csv/', summary: 'Your withdrawals as a CSV file', filters }),
  terms: route({
    method: 'POST',
    path: '/withdraw_terms/',
    summary: 'What you can withdraw now: balances, fee and limits',
    auth: 'user',
    input: z.strictObject({}),
    output: success({
      data: z.strictObject({
        daily: usdt,
        referral: usdt,
        wallet: usdt,
        /** The part of `referral` that may leave now, and when more of it may. */
        referral_matured: usdt,
        referral_matures_at: instant.nullable(),
        referral_mature_days: z.int(),
        fee_percent: z.int(),
        amount_min: usdt,
        outflow_left: usdt,
        outflow_daily_max: usdt,
        /** What goes out today without an operator. `product_left` is never shown above `each`. */
        automatic: z.strictObject({ each: usdt, user_left: usdt, product_left: usdt }),
        address,
        /** Why withdrawals are paused; null if they are not. */
        halted: z.string().nullable(),
        /** Why this user must wait, after a change of wallet; null if they need not. */
        waits: z.string().nullable(),
      }),
    }),
  }),
}
