import { z } from 'zod'
import { brand } from './brand.ts'
import { formatUsdt, type Usdt, usdt } from './money.ts'
import { instant } from './time.ts'

const limit = z.strictObject({
  /** What acts now; null: no limit. */
  amount: usdt.nullable(),
  next: z.strictObject({ amount: usdt.nullable(), acts_at: instant }).nullable(),
})

/** The limits of responsible play, and what they are measured against. */
export const limits = z.strictObject({
  loss: limit,
  stake: limit,
  excluded_until: instant.nullable(),
  staked_today: usdt,
  /** Stakes of today less what came back; bets that are still open count as lost. Below zero: won. */
  lost_today: usdt,
  net_month: usdt,
  /** When the current spell of play began (without a long pause), and what it brought. */
  playing_since: instant.nullable(),
  playing_net: usdt,
})
export type Limits = z.output<typeof limits>

export const limitKinds = ['loss', 'stake'] as const
export type LimitKind = (typeof limitKinds)[number]

/** Whether a new limit lets more through than the one that applies now; null is no limit. */
export const isLooser = (now: Usdt | null, asked: Usdt | null): boolean =>
  now !== null && (asked === null || asked > now)

/** What the wallet signs to make a limit less strict (R11). The server builds the same from its own values. */
export function raiseLimitData(fields: {
  chainId: number
  wallet: `0x${string}`
  kind: LimitKind
  amount: Usdt | null
  nonce: string
  deadline: number
}) {
  const { chainId, wallet, kind, amount, nonce, deadline } = fields
  return {
    domain: { name: brand.name, version: '1', chainId },
    types: {
      RaiseLimit: [
        { name: 'action', type: 'string' },
        { name: 'limit', type: 'string' },
        { name: 'amount', type: 'string' },
        { name: 'wallet', type: 'address' },
        { name: 'nonce', type: 'string' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'RaiseLimit',
    message: {
      action: 'Raise a limit of the colour game',
      limit: kind === 'loss' ? 'Daily loss' : 'Daily stake',
      amount: amount === null ? 'No limit' : `${formatUsdt(amount)} USDT`,
      wallet,
      nonce,
      deadline: BigInt(deadline),
    },
  } as const
}
