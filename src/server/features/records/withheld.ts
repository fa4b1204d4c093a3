/** Tables with rows about users that are not exported, and why. The export lists them with their reasons. */
export const withheld: Record<string, string> = {
  audit_log: 'What operators did. Decisions about you are in users, withdrawal_changes and referral_holds.',
  operator_acts: 'What operators did. Decisions about you are in users, withdrawal_changes and referral_holds.',
  operator_signatures: 'Signatures of operators, not of you.',
  chain_payouts: 'Our transactions that pay withdrawals. Address, amount and hash are in withdrawals.',
  chain_payout_attempts: 'Our transactions that pay withdrawals. Address, amount and hash are in withdrawals.',
  chain_unbooked: 'A list of payments that are not booked yet. The payments are in chain_payments.',
  colour_uplines: 'What other users earned from your bets. What you earned yourself is in ledger_entries.',
  colour_upline_queue: 'A list of bets whose upline is not paid yet. The bets are in colour_bets.',
  funding_checks: 'Signals of our fraud checks. A hold that follows from them is in referral_holds.',
  funding_sources: 'Signals of our fraud checks. A hold that follows from them is in referral_holds.',
  referral_flags: 'Signals of our fraud checks. A hold that follows from them is in referral_holds.',
  referral_flag_members: 'Signals of our fraud checks. A hold that follows from them is in referral_holds.',
  idempotency_keys: 'Copies of replies, to answer a repeated request. What they say is in the other tables.',
  ledger_accounts: 'Your balances. They are in the details, and after each movement in ledger_entries.',
  ledger_heads: 'Your balances at the last audit. After each movement they are in ledger_entries.',
  ledger_postings: 'Movements of all users. Your side of each one is in ledger_entries.',
  liability_nodes: 'Hashes of all users’ balances. Your own leaf is in liability_leaves.',
  rate_counts: 'How many calls were made in the last minute, counted under hashes. Older counts are deleted.',
  session_proofs: 'Hashes of used proofs, kept for ten minutes so that none works twice.',
  sign_in_nonces: 'One-time numbers for signing in. They expire after minutes, and we delete them within an hour.',
  team_deltas: 'Figures of other users. The referral page shows what your team lets you see.',
  team_levels: 'Figures of other users. The referral page shows what your team lets you see.',
  team_totals: 'Figures of other users. The referral page shows what your team lets you see.',
}

/** Tables without a row about any user. */
export const unrelated: readonly string[] = [
  ...['audit_runs', 'chain_cursor', 'chain_treasury', 'chain_wallets', 'colour_chains', 'colour_rounds'],
  ...[
    'colour_seeds',
    'function_files',
    'halt_doubts',
    'halts',
    'jobs',
    'ledger_account_kinds',
    'ledger_checkpoint',
    'ledger_seals',
  ],
  ...['liability_snapshots', 'migrations', 'operator_act_kinds', 'operator_acts_since', 'operators', 'quiz_keys'],
  ...['reward_runs', 'royalty_months', 'terms_cancellations', 'terms_versions', 'trust_history', 'withdrawal_steps'],
]
