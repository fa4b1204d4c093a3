import { formatUsdt, ZERO } from '../../protocol/money.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { sourceLabels } from './top-up-sources.ts'
import type { TopUpFlow } from './use-top-up.ts'

/** The last look before money moves: the whole amount, to its last decimal. */
export function TopUpDialog({ flow }: { flow: TopUpFlow }) {
  const { whole, parts, processing } = flow
  return (
    <Dialog
      open={flow.confirming}
      onClose={flow.cancel}
      title="Confirm Re Top Up"
      locked={processing}
      actions={
        <>
          <Button variant="quiet" onClick={flow.cancel} disabled={processing}>
            Cancel
          </Button>
          <Button onClick={flow.confirm} busy={processing}>
            Confirm
          </Button>
        </>
      }
    >
      <p className="figures font-display text-4xl text-ink">
        {formatUsdt(whole ?? ZERO)} <span className="text-xl">USDT</span>
      </p>
      <p className="mt-2">From your {sourceLabels[flow.source]} into your plan.</p>
      {parts && parts.fee > ZERO && (
        <p className="mt-3 border-line border-t pt-3 text-sm">
          {formatUsdt(parts.main)} USDT goes to your plan and {formatUsdt(parts.fee)} USDT is the fee: your plan is
          above 20 USDT.
        </p>
      )}
    </Dialog>
  )
}
