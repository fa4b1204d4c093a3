import type { Details, UserAccountName } from '../../../protocol/balance.ts'
import { add, type Usdt } from '../../../protocol/money.ts'

export const accountTexts: Record<UserAccountName, { name: string; note: string }> = {
  wallet: { name: 'Wallet', note: 'ready to use or withdraw' },
  plan: { name: 'Plans', note: 'principal, returned when the term ends' },
  reward: { name: 'Daily Rewards', note: 'earned by your plans' },
  referral: { name: 'Referral Rewards', note: 'earned through your team' },
  health: { name: 'Health', note: 'released by completed challenges' },
  bet: { name: 'Bet wallet', note: 'for the colour game only' },
  hold: { name: 'On hold', note: 'fees of unfinished top-ups, and rewards under review' },
}

/** The balance of each account, from the detail call. */
export const accountAmounts = (details: Details): Record<UserAccountName, Usdt> => ({
  wallet: details.wallet,
  plan: details.planamount,
  reward: details.planreward,
  referral: details.planreff,
  health: details.health,
  bet: details.bet,
  hold: details.hold,
})

export const sumOfAccounts = (details: Details): Usdt => add(...Object.values(accountAmounts(details)))
