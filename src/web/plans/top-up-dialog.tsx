import { formatUsdt, ZERO } from '../../protocol/money.ts'
import { TOP_UP_FEE_ABOVE } from '../../protocol/top-up.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { sourceLabels } from '../shared/money/source-picker.tsx'
import type { TopUpFlow } from './use-top-up.ts'

/** Shows the exact amount, with all decimals, before money moves. */
export function TopUpDialog({ flow }: { flow: TopUpFlow }) {
  const { whole, parts, processing } = flow
  return (
    <ConfirmDialog
      open={flow.confirming}
      title="Confirm Re Top Up"
      action="Confirm"
      onConfirm={flow.confirm}
      onCancel={flow.cancel}
      busy={processing}
    >
      <p className="figures font-display text-4xl text-ink">
        {formatUsdt(whole ?? ZERO)} <span className="text-xl">USDT</span>
      </p>
      <p className="mt-2">From your {sourceLabels[flow.source]} into your plan.</p>
      {parts && parts.fee > ZERO && (
        <p className="mt-3 border-line border-t pt-3 text-sm">
          {formatUsdt(parts.main)} USDT goes to your plan and {formatUsdt(parts.fee)} USDT is the fee, because your plan
          is above {formatUsdt(TOP_UP_FEE_ABOVE)} USDT.
        </p>
      )}
    </ConfirmDialog>
  )
}
