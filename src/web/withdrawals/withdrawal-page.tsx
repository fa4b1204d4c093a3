import { Clock, History, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { formatUsdt, smaller, type Usdt } from '../../protocol/money.ts'
import { reviewReason, withdrawalParts, withdrawals } from '../../protocol/withdrawals.ts'
import { AmountField } from '../../ui/amount-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { drawableUsdt } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { useRead } from '../shared/api/api.ts'
import { useEvent } from '../shared/api/events.ts'
import { MaturityNote } from '../shared/money/maturity-note.tsx'
import { MoneyForm, WithBalances } from '../shared/money/money-page.tsx'
import { fullestSource, type Source, SourcePicker } from '../shared/money/source-picker.tsx'
import { Summary } from '../shared/money/summary.tsx'
import { HeadLink, PageHead } from '../shared/page/page-head.tsx'
import { TermsNotice } from '../shared/terms/terms-notice.tsx'
import { LatestWithdrawal } from './latest-withdrawal.tsx'
import { refresh, type Terms, useWithdrawal } from './use-withdrawal.ts'
import { WithdrawalDialog } from './withdrawal-dialog.tsx'

const refreshNow = () => void refresh()

/** Withdraws USDT to the user's own wallet, and nowhere else. */
export function WithdrawalPage() {
  const read = useRead(withdrawals.terms, {})
  useEvent('withdrawal', refreshNow)
  useEvent('balance', refreshNow)
  useEvent('resync', refreshNow)
  return (
    <>
      <PageHead
        title="Withdrawal"
        subtitle="Send USDT to your own wallet"
        aside={
          <HeadLink to="/user/withdrawal-history" icon={History}>
            History
          </HeadLink>
        }
      />
      <TermsNotice about="withdrawals" />
      <WithBalances read={read}>{({ data }) => <WithdrawalForm limits={data} />}</WithBalances>
    </>
  )
}

function WithdrawalForm({ limits }: { limits: Terms }) {
  const [source, setSource] = useState<Source>(() => fullestSource(limits))
  const flow = useWithdrawal(limits, source)
  return (
    <>
      <MoneyForm
        label="Withdraw"
        onSubmit={() => flow.ready && flow.review()}
        aside={
          <>
            <LatestWithdrawal justRequested={flow.done} />
            <Limits limits={limits} />
          </>
        }
      >
        {limits.halted && <Halted />}
        <SourcePicker balances={limits} selected={source} onSelect={setSource} />
        {source === 'referral' && (
          <MaturityNote matured={limits.referral_matured} maturesAt={limits.referral_matures_at} />
        )}
        <AmountField
          label="Amount"
          value={flow.text}
          onChange={flow.change}
          min={limits.amount_min}
          max={smaller(source === 'referral' ? limits.referral_matured : limits[source], limits.outflow_left)}
          error={flow.complaint}
        />
        <Preview limits={limits} amount={flow.ready ? flow.amount : undefined} />
        <Button type="submit" size="l" wide disabled={!flow.ready || limits.halted !== null}>
          Withdraw
        </Button>
      </MoneyForm>
      <WithdrawalDialog flow={flow} source={source} limits={limits} />
    </>
  )
}

function Preview({ limits, amount }: { limits: Terms; amount: Usdt | undefined }) {
  const parts = amount === undefined ? undefined : withdrawalParts(amount, limits.fee_percent)
  const { each, user_left: userLeft, product_left: productLeft } = limits.automatic
  const reason = amount === undefined ? undefined : reviewReason(amount, { each, userLeft, productLeft })
  const exact = (value: Usdt | undefined) => (value === undefined ? '–' : `${formatUsdt(value)} USDT`)
  return (
    <div className="grid gap-3" aria-live="polite">
      <Summary
        lines={[
          { name: 'You withdraw', value: exact(amount) },
          { name: `Fee, ${limits.fee_percent}%`, value: exact(parts?.fee) },
          { name: 'Your wallet receives', value: exact(parts?.net) },
        ]}
      />
      {reason !== undefined && (
        <p className="flex items-start gap-2 text-sm text-soft">
          <Clock size={16} className="mt-0.5 shrink-0" aria-hidden="true" />
          <span>
            {reason} The money leaves your balance right away, and you get all of it back if the withdrawal is refused.
          </span>
        </p>
      )}
    </div>
  )
}

function Limits({ limits }: { limits: Terms }) {
  const share = drawableUsdt(limits.outflow_left) / Math.max(1, drawableUsdt(limits.outflow_daily_max))
  return (
    <Card className="grid gap-5">
      <div className="flex items-center gap-4">
        <Ring value={share} size={72} stroke={8} label="Left of today's limit" />
        <div className="grid gap-0.5">
          <p className="text-soft text-sm">You can still withdraw today</p>
          <Money amount={limits.outflow_left} className="font-display text-2xl" />
        </div>
      </div>
      <p className="flex items-start gap-2 border-line border-t pt-4 text-sm text-soft">
        <ShieldCheck size={18} className="mt-0.5 shrink-0 text-leaf-ink" aria-hidden="true" />
        Withdrawals go only to the wallet you signed in with, and only with its signature. A stolen session cannot send
        your money elsewhere.
      </p>
    </Card>
  )
}

const Halted = () => (
  <p role="alert" className="rounded-inner bg-gold-tint p-4 text-gold-ink text-sm">
    Withdrawals are paused while we look into a problem. Your balances are not affected. Please try again later.
  </p>
)
