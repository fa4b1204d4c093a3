import { Link } from 'react-router'
import type { Details } from '../../protocol/balance.ts'
import { Money } from '../../ui/money.tsx'

/** All balances in one row. Each links to the page where it can be used. */
export function Balances({ details }: { details: Details }) {
  const items = [
    { label: 'In plans', amount: details.planamount, to: '/user/plans' },
    { label: 'Wallet', amount: details.wallet, to: '/user/wallet' },
    { label: 'Health', amount: details.health, to: '/user/healthsupport' },
    { label: 'Bet wallet', amount: details.bet, to: '/user/color-game' },
  ]
  return (
    <nav aria-label="Balances">
      <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-card bg-line shadow-card lg:grid-cols-4">
        {items.map(({ label, amount, to }) => (
          <li key={label} className="bg-surface">
            <Link to={to} className="grid h-full gap-1 p-5 transition-colors hover:bg-quiet">
              <span className="text-faint text-sm">{label}</span>
              <Money amount={amount} className="font-display text-xl" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
