import { Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import { smaller, type Usdt } from '../../../protocol/money.ts'
import { reviewReason, withdrawalParts } from '../../../protocol/withdrawals.ts'
import { AmountField } from '../../../ui/amount-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { amountText } from '../../../ui/format.ts'
import { MaturityNote } from '../money/maturity-note.tsx'
import { type Source, SourcePicker } from '../money/source-picker.tsx'
import { Summary } from '../money/summary.tsx'
import type { Terms, useWithdrawal } from './use-withdrawal.ts'

type WithdrawalFieldsProps = {
  limits: Terms
  flow: ReturnType<typeof useWithdrawal>
  source: Source
  onSource: (source: Source) => void
}

/** The fields of a withdrawal, on its page and in its sheet. */
export function WithdrawalFields({ limits, flow, source, onSource }: WithdrawalFieldsProps) {
  return (
    <>
      {limits.halted && (
        <Paused>
          Withdrawals are paused while we look into a problem. Your balances are not affected. Please try again later.
        </Paused>
      )}
      {limits.waits && <Paused>{limits.waits}</Paused>}
      <SourcePicker balances={limits} selected={source} onSelect={onSource} />
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
      <Button type="submit" size="l" wide disabled={!flow.ready || limits.halted !== null || limits.waits !== null}>
        Withdraw
      </Button>
    </>
  )
}

function Preview({ limits, amount }: { limits: Terms; amount: Usdt | undefined }) {
  const parts = amount === undefined ? undefined : withdrawalParts(amount, limits.fee_percent)
  const { each, user_left: userLeft, product_left: productLeft } = limits.automatic
  const reason = amount === undefined ? undefined : reviewReason(amount, { each, userLeft, productLeft })
  const exact = (value: Usdt | undefined) => (value === undefined ? '–' : `${amountText(value)} USDT`)
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

const Paused = ({ children }: { children: ReactNode }) => (
  <p role="alert" className="rounded-inner bg-gold-tint p-4 text-gold-ink text-sm">
    {children}
  </p>
)
