import { type AccountId, type AccountKind, describeAccount } from './accounts.ts'

/** Which users a movement may connect: any users, the same user, or two different users. */
type Users = 'any' | 'same' | 'other'
type Rule = readonly [from: AccountKind, to: AccountKind, users: Users]

/**
 * Every allowed movement of money, by kind of posting. `plan` moves only to the same user's wallet. Only `operator`
 * funds a pool; the house also receives lost stakes. The database refuses everything else: `ledger_allows` in
 * migrations/functions/ledger_rules.sql has the same rules, and a test compares the two.
 */
export const rules = {
  plan_purchase: [
    ['custody', 'plan', 'any'],
    ['wallet', 'plan', 'same'],
  ],
  chain_deposit: [['custody', 'wallet', 'any']],
  re_top_up: [
    ['reward', 'plan', 'same'],
    ['reward', 'hold', 'same'],
    ['referral', 'plan', 'same'],
    ['referral', 'hold', 'same'],
  ],
  re_top_up_fee: [['hold', 'fees', 'any']],
  upline_reward: [['reward_pool', 'referral', 'any']],
  daily_reward: [
    ['reward_pool', 'reward', 'any'],
    ['health_pool', 'health', 'any'],
  ],
  plan_maturity: [['plan', 'wallet', 'same']],
  transfer: [
    ['wallet', 'wallet', 'other'],
    ['reward', 'wallet', 'other'],
    ['referral', 'wallet', 'other'],
  ],
  withdrawal: [
    ['wallet', 'payout_pending', 'any'],
    ['wallet', 'fees', 'any'],
    ['reward', 'payout_pending', 'any'],
    ['reward', 'fees', 'any'],
    ['referral', 'payout_pending', 'any'],
    ['referral', 'fees', 'any'],
  ],
  withdrawal_payment: [['payout_pending', 'custody', 'any']],
  withdrawal_return: [
    ['payout_pending', 'wallet', 'any'],
    ['payout_pending', 'reward', 'any'],
    ['payout_pending', 'referral', 'any'],
    ['fees', 'wallet', 'any'],
    ['fees', 'reward', 'any'],
    ['fees', 'referral', 'any'],
  ],
  bet_deposit: [
    ['custody', 'bet', 'any'],
    ['wallet', 'bet', 'same'],
  ],
  bet_withdrawal: [['bet', 'wallet', 'same']],
  bet: [['bet', 'bet_escrow', 'any']],
  round_settlement: [
    ['bet_escrow', 'bet', 'any'],
    ['bet_escrow', 'house', 'any'],
    ['house', 'bet', 'any'],
  ],
  round_refund: [['bet_escrow', 'bet', 'any']],
  colour_upline: [['fees', 'referral', 'any']],
  royalty: [['royalty_pool', 'referral', 'any']],
  health_release: [['health', 'wallet', 'same']],
  reward_hold: [['referral', 'hold', 'same']],
  reward_release: [['hold', 'referral', 'same']],
  reward_forfeit: [['hold', 'fees', 'any']],
  operator_deposit: [['custody', 'operator', 'any']],
  operator_outflow: [['operator', 'custody', 'any']],
  pool_funding: [
    ['operator', 'reward_pool', 'any'],
    ['operator', 'royalty_pool', 'any'],
    ['operator', 'health_pool', 'any'],
    ['operator', 'house', 'any'],
  ],
  fee_collection: [['fees', 'operator', 'any']],
  account_closing: [
    ['reward', 'fees', 'any'],
    ['referral', 'fees', 'any'],
    ['wallet', 'fees', 'any'],
    ['bet', 'fees', 'any'],
    ['health', 'fees', 'any'],
  ],
} as const satisfies Record<string, readonly Rule[]>

export type PostingKind = keyof typeof rules
export const postingKinds = Object.keys(rules) as PostingKind[]

export function isAllowed(kind: PostingKind, from: AccountId, to: AccountId): boolean {
  const [source, target] = [describeAccount(from), describeAccount(to)]
  const users: Users = source.userNumber === target.userNumber ? 'same' : 'other'
  const candidates: readonly Rule[] = rules[kind]
  return candidates.some(
    ([fromKind, toKind, wanted]) =>
      fromKind === source.kind && toKind === target.kind && (wanted === 'any' || wanted === users),
  )
}
