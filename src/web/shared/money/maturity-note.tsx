import { Hourglass } from 'lucide-react'
import type { Usdt } from '../../../protocol/money.ts'
import { amountText } from '../../../ui/format.ts'

type MaturityNoteProps = { matured: Usdt; maturesAt: Date | null }

const dayOf = (date: Date) => date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })

/** Says how much of the Referral Rewards may leave now. Renders nothing if all of it may. */
export function MaturityNote({ matured, maturesAt }: MaturityNoteProps) {
  if (!maturesAt) return null
  return (
    <p className="flex items-start gap-2 text-sm text-soft">
      <Hourglass size={16} className="mt-0.5 shrink-0" aria-hidden="true" />
      <span>
        You can withdraw or send {amountText(matured)} USDT of your Referral Rewards now. The rest follows in the next
        days, starting {dayOf(maturesAt)}. You can reinvest all of it today.
      </span>
    </p>
  )
}
