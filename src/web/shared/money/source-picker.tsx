import { CalendarCheck, type LucideIcon, Users, Wallet } from 'lucide-react'
import type { Usdt } from '../../../protocol/money.ts'
import { Money } from '../../../ui/money.tsx'
import { RadioCard } from '../../../ui/radio-card.tsx'

export type Source = 'daily' | 'referral' | 'wallet'

export const sourceLabels: Record<Source, string> = {
  daily: 'Daily Rewards',
  referral: 'Referral Rewards',
  wallet: 'Wallet balance',
}

/** Every balance that money can be taken from, most used first. */
const all: readonly Source[] = ['wallet', 'daily', 'referral']
const icons: Record<Source, LucideIcon> = { wallet: Wallet, daily: CalendarCheck, referral: Users }

type SourcePickerProps<Choice extends Source> = {
  sources?: readonly Choice[]
  balances: Record<Choice, Usdt>
  selected: Choice
  onSelect: (source: Choice) => void
  disabled?: boolean
}

/** Lets the user choose the balance to take money from. */
export function SourcePicker<Choice extends Source>(props: SourcePickerProps<Choice>) {
  const { sources = all as readonly Choice[], balances, selected, onSelect, disabled = false } = props
  return (
    <fieldset
      className={`grid min-w-0 gap-3 ${sources.length === 2 ? 'sm:grid-cols-2' : 'sm:grid-cols-3'}`}
      disabled={disabled}
    >
      <legend className="mb-2 font-semibold text-[15px]">From</legend>
      {sources.map((source) => {
        const Icon: LucideIcon = icons[source]
        return (
          <RadioCard
            key={source}
            name="source"
            checked={selected === source}
            onChange={() => onSelect(source)}
            className="flex items-center justify-between gap-2 rounded-[18px] border-2 border-line p-4 hover:border-line-strong has-checked:border-leaf has-checked:bg-leaf-tint sm:grid"
          >
            <span className="flex items-start gap-2 font-semibold text-sm">
              <Icon size={17} aria-hidden="true" className="mt-px shrink-0 text-leaf-ink" />
              {sourceLabels[source]}
            </span>
            <Money amount={balances[source]} className="font-display text-xl" />
          </RadioCard>
        )
      })}
    </fieldset>
  )
}

/** The default source: the one with the highest balance. */
export const fullestSource = (balances: Record<Source, Usdt>): Source =>
  all.reduce((best, source) => (balances[source] > balances[best] ? source : best))
