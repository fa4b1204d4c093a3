import { CalendarCheck, Users, Wallet } from 'lucide-react'
import type { Usdt } from '../protocol/money.ts'
import { Money } from '../ui/money.tsx'

export type Source = 'daily' | 'referral' | 'wallet'

export const sourceLabels: Record<Source, string> = {
  daily: 'Daily Rewards',
  referral: 'Referral Rewards',
  wallet: 'Wallet balance',
}

const cards = [
  { source: 'wallet', icon: Wallet },
  { source: 'daily', icon: CalendarCheck },
  { source: 'referral', icon: Users },
] as const

type SourcePickerProps = {
  balances: Record<Source, Usdt>
  selected: Source
  onSelect: (source: Source) => void
  disabled?: boolean
}

/** Which of the balances money leaves from. */
export function SourcePicker({ balances, selected, onSelect, disabled = false }: SourcePickerProps) {
  return (
    <fieldset className="grid gap-3 sm:grid-cols-3" disabled={disabled}>
      <legend className="mb-2 font-semibold text-[15px]">From</legend>
      {cards.map(({ source, icon: Icon }) => (
        <label
          key={source}
          className="flex cursor-pointer items-center justify-between gap-2 rounded-[18px] border-2 border-line p-4 transition hover:border-line-strong has-checked:border-leaf has-checked:bg-leaf-tint has-focus-visible:outline-2 has-focus-visible:outline-primary sm:grid"
        >
          <span className="flex items-center gap-2 font-semibold text-sm">
            <input
              type="radio"
              name="source"
              className="sr-only"
              checked={selected === source}
              onChange={() => onSelect(source)}
            />
            <Icon size={17} aria-hidden="true" className="shrink-0 text-leaf-ink" />
            {sourceLabels[source]}
          </span>
          <Money amount={balances[source]} className="font-display text-xl" />
        </label>
      ))}
    </fieldset>
  )
}

/** The balance to begin with: the fullest one. */
export const fullestSource = (balances: Record<Source, Usdt>): Source =>
  cards.map(({ source }) => source).reduce((best, source) => (balances[source] > balances[best] ? source : best))
