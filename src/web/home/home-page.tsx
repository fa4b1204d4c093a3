import { useDeferredValue } from 'react'
import type { Details } from '../../protocol/balance.ts'
import { ZERO } from '../../protocol/money.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useStoredUser } from '../shared/api/use-stored-user.ts'
import { sumOfAccounts } from '../shared/money/accounts.ts'
import { useDetails } from '../shared/money/details.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { PageHead } from '../shared/page/page-head.tsx'
import { Balances } from './balances.tsx'
import { Earnings } from './earnings.tsx'
import { FirstSteps } from './first-steps.tsx'
import { greetingOf } from './greeting.ts'
import { NextSteps } from './next-steps.tsx'
import { PlanProgress } from './plan-progress.tsx'
import { Rewards } from './rewards.tsx'
import { useSteps } from './use-steps.ts'
import { WalletLead } from './wallet-lead.tsx'
import { WellnessToday } from './wellness-today.tsx'

export function HomePage() {
  const user = useStoredUser()
  const { details: read, error, refetch } = useDetails()
  // Rendered in slices, so that a slow phone can react to a tap between them.
  const details = useDeferredValue(read)
  const steps = useSteps(details)
  if (error && !details)
    return (
      <Card>
        <FailedRead error={error} onRetry={refetch} />
      </Card>
    )
  return (
    <>
      <PageHead title={greetingOf(user)} subtitle="Here's your day." />
      {details ? <Day details={details} steps={steps} /> : <Waiting />}
    </>
  )
}

function Day({ details, steps }: { details: Details; steps: ReturnType<typeof useSteps> }) {
  const isNew = sumOfAccounts(details) === ZERO && details.lots.length === 0
  // Whether the card of first steps is there must be known first: otherwise everything below it would move.
  if (!isNew && !steps.open && !steps.hasFailed) return <Waiting />
  return isNew ? (
    <div className="grid gap-5">
      <FirstSteps steps={steps} details={details} lead={<WalletLead details={details} />} />
      <WellnessToday />
    </div>
  ) : (
    <div className="grid gap-5">
      <Balances details={details} />
      {steps.open?.length !== 0 && <FirstSteps steps={steps} details={details} />}
      <div className="grid gap-5 wide:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Rewards details={details} />
        <WellnessToday />
      </div>
      <div className="grid items-start gap-5 wide:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Earnings />
        <div className="grid gap-5">
          <PlanProgress details={details} />
          {steps.open?.length === 0 && <NextSteps details={details} />}
        </div>
      </div>
    </div>
  )
}

function Waiting() {
  return (
    <div className="grid gap-5" role="status" aria-label="Loading your day">
      <Skeleton className="h-96 rounded-card" />
      <div className="grid gap-5 wide:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Skeleton className="h-60 rounded-card" />
        <Skeleton className="h-60 rounded-card" />
      </div>
      <Skeleton className="h-80 rounded-card" />
    </div>
  )
}
