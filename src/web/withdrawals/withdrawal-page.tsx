import { History, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { withdrawals } from '../../protocol/withdrawals.ts'
import { Card } from '../../ui/card.tsx'
import { drawableUsdt } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Ring } from '../../ui/ring.tsx'
import { useRead } from '../shared/api/api.ts'
import { useEvent } from '../shared/api/events.ts'
import { MoneyForm, WithBalances } from '../shared/money/money-page.tsx'
import { fullestSource, type Source } from '../shared/money/source-picker.tsx'
import { HeadLink, PageHead } from '../shared/page/page-head.tsx'
import { TermsNotice } from '../shared/terms/terms-notice.tsx'
import { refresh, type Terms, useWithdrawal } from '../shared/withdraw/use-withdrawal.ts'
import { WithdrawalDialog } from '../shared/withdraw/withdrawal-dialog.tsx'
import { WithdrawalFields } from '../shared/withdraw/withdrawal-fields.tsx'
import { LatestWithdrawal } from './latest-withdrawal.tsx'

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
        <WithdrawalFields limits={limits} flow={flow} source={source} onSource={setSource} />
      </MoneyForm>
      <WithdrawalDialog flow={flow} source={source} limits={limits} />
    </>
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
