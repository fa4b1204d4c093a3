import { z } from 'zod'
import { brand } from './brand.ts'
import { formatUsdt, type Usdt, usdt } from './money.ts'
import { instant } from './time.ts'

/** A looser limit takes effect after this time. */
export const LIMIT_RAISE_HOURS = 24
export const EXCLUSION_DAYS = [1, 7, 30] as const

const limit = z.strictObject({
  /** The limit in force now; null: no limit. */
  amount: usdt.nullable(),
  next: z.strictObject({ amount: usdt.nullable(), acts_at: instant }).nullable(),
})

/** Responsible-play limits, and the figures they are checked against. */
export const limits = z.strictObject({
  loss: limit,
  stake: limit,
  excluded_until: instant.nullable(),
  staked_today: usdt,
  /** Today's stakes less payouts. Open bets count as lost. Negative: the user has won. */
  lost_today: usdt,
  net_month: usdt,
  /** Start of the current playing session (no long pause since then), and its net result. */
  playing_since: instant.nullable(),
  playing_net: usdt,
})
export type Limits = z.output<typeof limits>

export const limitKinds = ['loss', 'stake'] as const
export type LimitKind = (typeof limitKinds)[number]

/** Whether a new limit is less strict than the one in force. Null means no limit. */
export const isLooser = (now: Usdt | null, asked: Usdt | null): boolean =>
  now !== null && (asked === null || asked > now)

/** The EIP-712 message a wallet signs to loosen a limit (R11). The server rebuilds it from its own values. */
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
