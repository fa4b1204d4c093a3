import { CalendarCheck, History, Users } from 'lucide-react'
import { Link } from 'react-router'
import type { Details } from '../../protocol/balance.ts'
import { errorTexts } from '../../protocol/texts.ts'
import { type TopUpSource, topUpMax } from '../../protocol/top-up.ts'
import { Address } from '../../ui/address.tsx'
import { AmountField } from '../../ui/amount-field.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { topUpBalances, useDetails } from '../details.ts'
import { PageHead } from '../page-head.tsx'
import { CopyField } from './copy-field.tsx'
import { TopUpDialog } from './top-up-dialog.tsx'
import { TopUpPreview } from './top-up-preview.tsx'
import { sourceLabels, sources } from './top-up-sources.ts'
import { type TopUpFlow, useTopUp } from './use-top-up.ts'

export function TopUpPage() {
  const { details, isError, refetch } = useDetails()
  const flow = useTopUp(details)
  return (
    <>
      <PageHead
        title="Re Top Up"
        subtitle="Purchase your Plan to your wallet"
        aside={
          <Link to="/user/re-top-up-history" className={buttonClass({ variant: 'outline', size: 's' })}>
            <History size={16} aria-hidden="true" />
            History
          </Link>
        }
      />
      {isError && !details ? (
        <Card>
          <ErrorState title={errorTexts.details} onRetry={() => refetch()} />
        </Card>
      ) : details ? (
        <TopUp details={details} flow={flow} />
      ) : (
        <Waiting />
      )}
    </>
  )
}

function TopUp({ details, flow }: { details: Details; flow: TopUpFlow }) {
  return (
    <div className="grid items-start gap-5 wide:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
      <Card className="grid gap-6" aria-label="Re Top Up">
        <SourceCards details={details} flow={flow} />
        <Form details={details} flow={flow} />
      </Card>
      <div className="grid gap-5">
        <Funds details={details} />
        <TopUpPreview details={details} whole={flow.whole} parts={flow.parts} />
      </div>
      <TopUpDialog flow={flow} />
    </div>
  )
}

/** What could be used at all, and from which wallet. */
function Funds({ details }: { details: Details }) {
  return (
    <Card weight="lead" className="grid gap-5">
      <div className="text-ink">
        <Address address={details.wallet_address} />
      </div>
      <dl className="grid grid-cols-2 gap-4">
        {(['TWA', 'BWA'] as const).map((name) => (
          <div key={name} className="grid gap-0.5">
            <dt className="text-on-panel-soft text-sm">{name}</dt>
            <dd>
              <Money amount={details[name]} className="font-display text-2xl" />
            </dd>
            <dd className="text-on-panel-soft text-xs">
              {name === 'TWA' ? 'all that could be withdrawn' : 'what may leave today'}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function SourceCards({ details, flow }: { details: Details; flow: TopUpFlow }) {
  const cards = [
    { source: 'daily', icon: CalendarCheck, balance: details.planreward },
    { source: 'referral', icon: Users, balance: details.planreff },
  ] as const
  return (
    <fieldset className="grid min-w-0 grid-cols-2 gap-3" disabled={flow.processing}>
      <legend className="sr-only">Pay from</legend>
      {cards.map(({ source, icon: Icon, balance }) => (
        <label
          key={source}
          className="grid cursor-pointer content-between gap-3 rounded-[18px] border-2 border-line p-3.5 transition sm:p-4 hover:border-line-strong has-checked:border-leaf has-checked:bg-leaf-tint has-focus-visible:outline-2 has-focus-visible:outline-primary"
        >
          <span className="flex items-start gap-2 font-semibold max-sm:text-sm">
            <input
              type="radio"
              name="source-card"
              className="sr-only"
              checked={flow.source === source}
              onChange={() => flow.choose(source)}
            />
            <Icon size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-leaf-ink" />
            {sourceLabels[source]}
          </span>
          <Money amount={balance} className="font-display text-xl sm:text-2xl" />
        </label>
      ))}
    </fieldset>
  )
}

function Form({ details, flow }: { details: Details; flow: TopUpFlow }) {
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        flow.review()
      }}
    >
      <div className="grid grid-cols-2 gap-3 sm:gap-5">
        <Field label="Source">
          {(control) => (
            <Select
              {...control}
              options={sources}
              value={flow.source}
              disabled={flow.processing}
              onChange={(event) => flow.choose(event.target.value as TopUpSource)}
            />
          )}
        </Field>
        <Field label="Balance type">
          {(control) => <Select {...control} options={[{ value: 'USDT', label: 'USDT' }]} />}
        </Field>
      </div>
      <AmountField
        label="Amount"
        value={flow.amount}
        onChange={flow.change}
        min={details.minimumamount}
        max={topUpMax(flow.source, topUpBalances(details))}
        error={flow.error}
        disabled={flow.processing}
      />
      <CopyField label="Wallet address" value={details.wallet_address} />
      <Button type="submit" size="l" wide disabled={flow.processing || flow.amount === ''} busy={flow.processing}>
        Re Top Up
      </Button>
    </form>
  )
}

function Waiting() {
  return (
    <div
      className="grid gap-5 wide:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]"
      role="status"
      aria-label="Loading your balances"
    >
      <Card className="grid gap-5" padding="l">
        <div className="grid grid-cols-2 gap-3">
          <Skeleton className="h-26 rounded-[18px]" />
          <Skeleton className="h-26 rounded-[18px]" />
        </div>
        <Skeleton className="h-13" />
        <Skeleton className="h-16" />
        <Skeleton className="h-14" />
      </Card>
      <Skeleton className="h-48 rounded-card" />
    </div>
  )
}
