import { type UserAccountName, userAccounts } from '../../protocol/balance.ts'
import { accountTexts } from '../shared/money/accounts.ts'

/** The display name of each kind of posting, and the accounts it can appear in. */
const kindTexts: Record<string, { name: string; accounts: UserAccountName[] }> = {
  plan_purchase: { name: 'Plan bought', accounts: ['plan', 'wallet'] },
  chain_deposit: { name: 'Deposit', accounts: ['wallet'] },
  re_top_up: { name: 'Re top up', accounts: ['reward', 'referral', 'plan', 'hold'] },
  re_top_up_fee: { name: 'Re top up fee', accounts: ['hold'] },
  upline_reward: { name: 'Upline reward', accounts: ['referral'] },
  daily_reward: { name: 'Daily reward', accounts: ['reward', 'health'] },
  plan_maturity: { name: 'Plan ended', accounts: ['plan', 'wallet'] },
  transfer: { name: 'Internal transfer', accounts: ['wallet', 'reward', 'referral'] },
  withdrawal: { name: 'Withdrawal', accounts: ['wallet', 'reward', 'referral'] },
  withdrawal_return: { name: 'Withdrawal returned', accounts: ['wallet', 'reward', 'referral'] },
  bet_deposit: { name: 'To the bet wallet', accounts: ['bet', 'wallet'] },
  bet_withdrawal: { name: 'From the bet wallet', accounts: ['bet', 'wallet'] },
  bet: { name: 'Bet', accounts: ['bet'] },
  round_settlement: { name: 'Round won', accounts: ['bet'] },
  round_refund: { name: 'Round refunded', accounts: ['bet'] },
  colour_upline: { name: 'Colour upline', accounts: ['referral'] },
  reward_hold: { name: 'Reward on hold', accounts: ['referral', 'hold'] },
  reward_release: { name: 'Reward released', accounts: ['referral', 'hold'] },
  reward_forfeit: { name: 'Reward taken back', accounts: ['hold'] },
  royalty: { name: 'Royalty', accounts: ['referral'] },
  health_release: { name: 'Health released', accounts: ['health', 'wallet'] },
}

export const kindName = (kind: string): string => kindTexts[kind]?.name ?? kind.replaceAll('_', ' ')

export const accountOptions = userAccounts.map((value) => ({ value, label: accountTexts[value].name }))

export const kindOptions = (account: UserAccountName) => [
  { value: '', label: 'All transactions' },
  ...Object.entries(kindTexts)
    .filter(([, { accounts }]) => accounts.includes(account))
    .map(([value, { name }]) => ({ value, label: name })),
]
