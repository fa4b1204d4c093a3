import { Hourglass } from 'lucide-react'
import { useState } from 'react'
import { type Details, type UserAccountName, userAccounts } from '../../protocol/balance.ts'
import { ZERO } from '../../protocol/money.ts'
import { Card } from '../../ui/card.tsx'
import { amountText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { accountAmounts, accountTexts } from '../shared/money/accounts.ts'
import { useDetails } from '../shared/money/details.ts'
import { MaturityNote } from '../shared/money/maturity-note.tsx'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { PageHead } from '../shared/page/page-head.tsx'
import { DailyRewards } from './daily-rewards.tsx'
import { MoneyFlow } from './money-flow.tsx'
import { OverTime } from './over-time.tsx'
import { Statement } from './statement.tsx'

export function BalancePage() {
  const { details, error, refetch } = useDetails()
  const [chosen, setAccount] = useState<UserAccountName>()
  const account = chosen ?? (details ? firstFilled(details) : 'reward')
  return (
    <>
      <PageHead title="Balance" subtitle="All your accounts and transactions." />
      {error && !details ? (
        <Card>
          <FailedRead error={error} onRetry={refetch} />
        </Card>
      ) : details ? (
        <div className="grid gap-5">
          <OverTime details={details} />
          <MoneyFlow />
          <Deferred details={details} />
          <Accounts details={details} chosen={account} onChoose={setAccount} />
          <MaturityNote matured={details.planreff_matured} maturesAt={details.planreff_matures_at} />
          <Statement key={account} account={account} onAccount={setAccount} />
          <DailyRewards />
        </div>
      ) : (
        <div className="grid gap-5" role="status" aria-label="Loading your balances">
          <Skeleton className="h-132 rounded-card sm:h-138" />
          <Skeleton className="h-96 rounded-card" />
          <Skeleton className="h-96 rounded-card" />
        </div>
      )}
    </>
  )
}

/** The account selected at first: the first one that is not empty. */
const firstFilled = (details: Details): UserAccountName =>
  userAccounts.find((account) => accountAmounts(details)[account] > ZERO) ?? 'reward'

/** Rewards earned but not paid yet. Shown separately, because they are not part of any balance. */
function Deferred({ details: { deferred } }: { details: Details }) {
  const parts = [
    { name: 'Daily Rewards', amount: deferred.reward },
    { name: 'Referral Rewards', amount: deferred.referral },
    { name: 'Health', amount: deferred.health },
  ].filter(({ amount }) => amount > ZERO)
  if (parts.length === 0) return null
  return (
    <Card weight="quiet" className="flex items-start gap-3">
      <Hourglass size={20} aria-hidden="true" className="mt-0.5 shrink-0 text-gold-ink" />
      <p>
        <span className="font-semibold">Earned, not paid yet: </span>
        {parts.map(({ name, amount }) => `${amountText(amount)} USDT ${name}`).join(', ')}. A reward pool is empty.
        You'll be paid automatically as soon as the operator funds it.
      </p>
    </Card>
  )
}

type AccountsProps = { details: Details; chosen: UserAccountName; onChoose: (account: UserAccountName) => void }

/** Each account with its purpose. The statement below shows the selected one. */
function Accounts({ details, chosen, onChoose }: AccountsProps) {
  const amounts = accountAmounts(details)
  const shown = userAccounts.filter((account) => account !== 'hold' || amounts.hold > ZERO)
  return (
    <ul className="grid grid-cols-2 gap-3 min-[700px]:grid-cols-3">
      {shown.map((account) => (
        <li key={account}>
          <button
            type="button"
            aria-pressed={account === chosen}
            onClick={() => onChoose(account)}
            className="grid h-full w-full content-start gap-1 rounded-[20px] border-2 border-transparent bg-surface p-4 text-left shadow-card transition hover:border-line-strong aria-pressed:border-leaf sm:p-5"
          >
            <span className="font-semibold">{accountTexts[account].name}</span>
            <Money amount={amounts[account]} className="font-display text-xl sm:text-2xl" />
            <span className="text-faint text-sm">{accountTexts[account].note}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
