import type { Withdrawal, WithdrawalState } from '../../protocol/withdrawals.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/tone.ts'

const looks: Record<WithdrawalState, { label: string; tone: Tone }> = {
  requested: { label: 'Requested', tone: 'sky' },
  waiting: { label: 'Waiting for approval', tone: 'gold' },
  signed: { label: 'Signed', tone: 'sky' },
  sent: { label: 'Sent', tone: 'sky' },
  paid: { label: 'Paid', tone: 'leaf' },
  refused: { label: 'Refused, money returned', tone: 'coral' },
  refunded: { label: 'Refunded', tone: 'coral' },
}

/** For the filter of the history. */
export const stateOptions = [
  { value: '', label: 'All withdrawals' },
  ...Object.entries(looks).map(([value, { label }]) => ({ value, label })),
]

export function stateLabel({ state, confirmations, confirmations_needed }: Withdrawal): string {
  if (state !== 'sent' || confirmations === 0) return looks[state].label
  return `${confirmations} of ${confirmations_needed} confirmations`
}

export const StateBadge = ({ withdrawal }: { withdrawal: Withdrawal }) => (
  <Badge tone={looks[withdrawal.state].tone}>{stateLabel(withdrawal)}</Badge>
)

/** Progress between 0 and 1, for the ring. */
export function progressOf({ state, confirmations, confirmations_needed }: Withdrawal): number {
  const sent = 0.5 + 0.5 * (confirmations / Math.max(1, confirmations_needed))
  return { requested: 0.15, waiting: 0.1, signed: 0.35, sent, paid: 1, refused: 1, refunded: 1 }[state]
}
