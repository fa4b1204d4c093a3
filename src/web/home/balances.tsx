import { Link } from 'react-router'
import { type Details, type UserAccountName, userAccounts } from '../../protocol/balance.ts'
import { ZERO } from '../../protocol/money.ts'
import { Card } from '../../ui/card.tsx'
import { Money } from '../../ui/money.tsx'
import { accountAmounts, accountTexts } from '../shared/money/accounts.ts'
import { Total } from '../shared/money/total.tsx'

/** The page where each account can be used. */
const pages: Record<UserAccountName, string> = {
  wallet: '/user/wallet',
  plan: '/user/plans',
  reward: '/user/re-top-up',
  referral: '/user/referal',
  health: '/user/healthsupport',
  bet: '/user/color-game',
  hold: '/user/balance',
}

/** The total, and the accounts that hold something. Each links to the page where it can be used. */
export function Balances({ details }: { details: Details }) {
  const amounts = accountAmounts(details)
  const filled = userAccounts.filter((account) => amounts[account] > ZERO)
  return (
    <Card padding="l" className="grid gap-6 wide:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] wide:items-start wide:gap-10">
      <Total details={details} />
      {filled.length > 0 && (
        <nav aria-label="Balances" className="max-wide:border-line max-wide:border-t max-wide:pt-4">
          <ul className="grid grid-cols-2 gap-x-4 gap-y-1 sm:grid-cols-3">
            {filled.map((account) => (
              <li key={account}>
                <Link
                  to={pages[account]}
                  className="-mx-2 grid gap-0.5 rounded-[14px] p-2 transition-colors hover:bg-quiet"
                >
                  <span className="text-faint text-sm">{accountTexts[account].name}</span>
                  <Money amount={amounts[account]} className="font-display text-lg" />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </Card>
  )
}
