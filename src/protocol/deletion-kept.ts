/**
 * What stays after a user has deleted their account, and why. Pages show it before, and the reply repeats it. A test
 * searches the whole database for a deleted user, and finds them only in these tables.
 */
export const keptRecords: readonly { what: string; why: string; tables: readonly string[] }[] = [
  {
    what: 'Payments, deposits and withdrawals, with your wallet address',
    why: 'They are public on the chain, and our books are checked against them.',
    tables: [
      ...['chain_payments', 'chain_bookings', 'chain_claims', 'chain_payouts', 'chain_payout_attempts'],
      ...['vault_payments', 'withdrawals', 'withdrawal_changes'],
    ],
  },
  {
    what: 'Wallets that you had before, if you changed your wallet',
    why: 'Withdrawals to them are still checked against both signatures of the change.',
    tables: ['wallet_changes'],
  },
  {
    what: 'Transfers with their notes, plans, rewards and bets',
    why: 'Balances of other people and the published totals depend on them.',
    tables: [
      ...['transfers', 'transfer_allowances', 'plan_orders', 'plan_lots', 'daily_rewards', 'reward_deferrals'],
      ...['upline_rewards', 'referral_holds', 'royalty_shares'],
      ...['colour_bets', 'colour_daily_totals', 'colour_uplines', 'colour_upline_queue', 'colour_wallet_moves'],
    ],
  },
  {
    what: 'The ledger: every movement of money. The entry of a transfer to you has the name you had',
    why: 'The ledger is sealed. Without one of its entries the others could not be checked.',
    tables: ['ledger_accounts', 'ledger_entries', 'ledger_heads', 'ledger_postings'],
  },
  {
    what: 'Your number in the referral tree, and when you joined and left. If you moved money, also your wallet address',
    why: 'The people you invited keep their place, and the audit still verifies your signatures.',
    tables: ['users', 'team_blocks', 'team_deltas', 'team_levels', 'team_totals'],
  },
  {
    what: 'What operators decided, and signals of our fraud checks about other people',
    why: 'Decisions about money must stay traceable.',
    tables: ['audit_log', 'operator_acts', 'operator_signatures', 'referral_flags', 'funding_sources'],
  },
  {
    what: 'Your encrypted lines in published trees of balances',
    why: 'Trees are deleted after two days, but the newest 48 stay. We delete the key, so we cannot read your lines any more.',
    tables: ['liability_parts', 'vault_calls', 'vault_call_attempts'],
  },
  {
    what: 'Backups, until they are deleted in their turn',
    why: 'A single account cannot be taken out of a backup.',
    tables: [],
  },
]
