import { History } from 'lucide-react'
import type { Details } from '../../protocol/balance.ts'
import { type TopUpSource, topUpMax } from '../../protocol/top-up.ts'
import { Address } from '../../ui/address.tsx'
import { AmountField } from '../../ui/amount-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'
import { Select } from '../../ui/select.tsx'
import { Blocked } from '../shared/declare/declaration-fields.tsx'
import { topUpBalances, useDetails } from '../shared/money/details.ts'
import { MoneyForm, WithBalances } from '../shared/money/money-page.tsx'
import { SourcePicker, sourceLabels } from '../shared/money/source-picker.tsx'
import { HeadLink, PageHead } from '../shared/page/page-head.tsx'
import { Announced } from '../shared/terms/announced.tsx'
import { useTerms } from '../shared/terms/use-terms.ts'
import { CopyField } from './copy-field.tsx'
import { TopUpDialog } from './top-up-dialog.tsx'
import { TopUpPreview } from './top-up-preview.tsx'
import { type TopUpFlow, useTopUp } from './use-top-up.ts'

const sources: readonly TopUpSource[] = ['daily', 'referral']

export function TopUpPage() {
  const { details, error, refetch } = useDetails()
  const { announced } = useTerms()
  const flow = useTopUp(details)
  return (
    <>
      <PageHead
        title="Re Top Up"
        note="reinvest rewards"
        subtitle="Purchase your Plan to your wallet"
        aside={
          <HeadLink to="/user/re-top-up-history" icon={History}>
            History
          </HeadLink>
        }
      />
      <Announced announced={announced} about="plans" />
      <WithBalances read={{ data: details, error, refetch }}>
        {(known) => <TopUp details={known} flow={flow} />}
      </WithBalances>
    </>
  )
}

function TopUp({ details, flow }: { details: Details; flow: TopUpFlow }) {
  if (flow.declaration.blockedBecause) return <Blocked reason={flow.declaration.blockedBecause} />
  return (
    <>
      <MoneyForm
        label="Re Top Up"
        onSubmit={flow.review}
        aside={
          <>
            <Funds details={details} />
            <TopUpPreview details={details} whole={flow.whole} parts={flow.parts} />
          </>
        }
      >
        <SourcePicker
          sources={sources}
          balances={{ daily: details.planreward, referral: details.planreff }}
          selected={flow.source}
          onSelect={flow.choose}
          disabled={flow.processing}
        />
        <Fields details={details} flow={flow} />
      </MoneyForm>
      <TopUpDialog details={details} flow={flow} />
    </>
  )
}

/** The user's wallet address, with TWA and BWA. */
function Funds({ details }: { details: Details }) {
  return (
    <Card weight="lead" className="grid gap-5">
      <div className="text-ink">
        <Address address={details.wallet_address} />
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-4">
        {(['TWA', 'BWA'] as const).map((name) => (
          <div key={name} className="grid gap-0.5">
            <dt className="text-on-panel-soft text-sm">{name}</dt>
            <dd>
              <Money amount={details[name]} className="font-display text-2xl" />
            </dd>
            <dd className="text-on-panel-soft text-xs">{name === 'TWA' ? 'withdrawable' : 'available today'}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function Fields({ details, flow }: { details: Details; flow: TopUpFlow }) {
  return (
    <>
      <div className="grid grid-cols-2 gap-3 sm:gap-5">
        <Field label="Source">
          {(control) => (
            <Select
              {...control}
              options={sources.map((value) => ({ value, label: sourceLabels[value] }))}
              value={flow.source}
              disabled={flow.processing}
              onChange={(event) => flow.choose(event.target.value as TopUpSource)}
            />
          )}
        </Field>
        <Field label="Balance type">
          {({ id }) => (
            <output id={id} className="flex h-13 items-center px-1 font-semibold">
              USDT
            </output>
          )}
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
    </>
  )
}
