import { formatUsdt, ZERO } from '../../protocol/money.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type Source, sourceLabels } from '../source-picker.tsx'
import { Summary } from '../summary.tsx'
import type { useTransfer } from './use-transfer.ts'

type ConfirmDialogProps = { flow: ReturnType<typeof useTransfer>; source: Source }

/** The last look: how much, to whom, from where. */
export function ConfirmDialog({ flow, source }: ConfirmDialogProps) {
  const { found } = flow.recipient
  const amount = `${formatUsdt(flow.amount ?? ZERO)} USDT`
  const note = flow.note.trim()
  return (
    <Dialog
      open={flow.confirming}
      onClose={flow.cancel}
      title="Confirm transfer"
      locked={flow.busy}
      actions={
        <>
          <Button variant="quiet" onClick={flow.cancel} disabled={flow.busy}>
            Cancel
          </Button>
          <Button onClick={flow.confirm} busy={flow.busy}>
            Send {amount}
          </Button>
        </>
      }
    >
      <Summary
        lines={[
          { name: 'To', value: found ? `${found.username}, level ${found.level}` : '' },
          { name: 'From', value: sourceLabels[source] },
          ...(note ? [{ name: 'Note', value: note }] : []),
          { name: 'Amount', value: amount },
        ]}
      />
    </Dialog>
  )
}
