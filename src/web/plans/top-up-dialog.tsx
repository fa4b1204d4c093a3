import type { Details } from '../../protocol/balance.ts'
import { add, ZERO } from '../../protocol/money.ts'
import { findTier } from '../../protocol/plans.ts'
import { TOP_UP_FEE_ABOVE } from '../../protocol/top-up.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { amountText } from '../../ui/format.ts'
import { DeclarationFields } from '../shared/declare/declaration-fields.tsx'
import { sourceLabels } from '../shared/money/source-picker.tsx'
import { returnDate } from './outlook.tsx'
import { useTiers } from './use-tiers.ts'
import type { TopUpFlow } from './use-top-up.ts'

type TopUpDialogProps = { details: Details; flow: TopUpFlow }

/** Shows the exact amount, with all decimals, the lock and the day of return before money moves. */
export function TopUpDialog({ details, flow }: TopUpDialogProps) {
  const { whole, parts, processing } = flow
  const { tiers } = useTiers()
  const tier = findTier(tiers, add(details.planamount, parts?.main ?? ZERO))
  return (
    <ConfirmDialog
      open={flow.confirming}
      title="Confirm Re Top Up"
      action="Confirm"
      onConfirm={flow.confirm}
      onCancel={flow.cancel}
      busy={processing}
      disabled={!flow.declaration.isReady}
    >
      <p className="figures font-display text-4xl text-ink">
        {amountText(whole ?? ZERO)} <span className="text-xl">USDT</span>
      </p>
      <p className="mt-2">From your {sourceLabels[flow.source]} into your plan.</p>
      {tier && (
        <p className="mt-3 rounded-inner bg-gold-tint p-4 text-gold-ink text-sm">
          It is locked for {tier.termDays} days, until {returnDate(details.today, tier)}. Then you get it back in your
          wallet balance. Rewards are not guaranteed.
        </p>
      )}
      {parts && parts.fee > ZERO && (
        <p className="mt-3 border-line border-t pt-3 text-sm">
          {amountText(parts.main)} USDT goes to your plan and {amountText(parts.fee)} USDT is the fee, because your plan
          is above {amountText(TOP_UP_FEE_ABOVE)} USDT.
        </p>
      )}
      <div className="mt-4">
        <DeclarationFields declaration={flow.declaration} doing="confirming" />
      </div>
    </ConfirmDialog>
  )
}
