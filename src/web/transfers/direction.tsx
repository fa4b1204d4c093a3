import { ArrowDownLeft, ArrowUpRight } from 'lucide-react'
import { micro } from '../../protocol/money.ts'
import type { Transfer } from '../../protocol/transfers.ts'
import { Money } from '../../ui/money.tsx'

/** Sent or received, shown by icon and colour, with a text for screen readers. */
export function Direction({ direction }: Pick<Transfer, 'direction'>) {
  const received = direction === 'in'
  const Icon = received ? ArrowDownLeft : ArrowUpRight
  return (
    <span
      className={`grid size-9 shrink-0 place-items-center rounded-full ${received ? 'bg-leaf-tint text-leaf-ink' : 'bg-sunken text-soft'}`}
    >
      <Icon size={17} aria-hidden="true" />
      <span className="sr-only">{received ? 'Received' : 'Sent'}</span>
    </span>
  )
}

/** The amount with a plus or minus sign, as the balance changed. */
export const SignedAmount = ({ direction, amount }: Pick<Transfer, 'direction' | 'amount'>) => (
  <Money
    amount={direction === 'in' ? amount : micro(-amount)}
    plus
    exact
    className={`font-semibold ${direction === 'in' ? 'text-leaf-ink' : ''}`}
  />
)
