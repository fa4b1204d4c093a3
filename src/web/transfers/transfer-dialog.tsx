import { ZERO } from '../../protocol/money.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { amountText } from '../../ui/format.ts'
import { type Source, sourceLabels } from '../shared/money/source-picker.tsx'
import { Summary } from '../shared/money/summary.tsx'
import type { useTransfer } from './use-transfer.ts'

type TransferDialogProps = { flow: ReturnType<typeof useTransfer>; source: Source }

/** Shows amount, recipient and source before money moves. */
export function TransferDialog({ flow, source }: TransferDialogProps) {
  const { found } = flow.recipient
  const amount = `${amountText(flow.amount ?? ZERO)} USDT`
  const note = flow.note.trim()
  return (
    <ConfirmDialog
      open={flow.confirming}
      title="Confirm transfer"
      action={flow.signing ? 'Sign in your wallet' : `${flow.mustSign ? 'Sign and send' : 'Send'} ${amount}`}
      onConfirm={flow.confirm}
      onCancel={flow.cancel}
      busy={flow.busy}
    >
      <Summary
        lines={[
          { name: 'To', value: found ? `${found.username}, level ${found.level}` : '' },
          { name: 'From', value: sourceLabels[source] },
          ...(note ? [{ name: 'Note', value: note }] : []),
          { name: 'Amount', value: amount },
        ]}
      />
      {flow.mustSign && (
        <p className="mt-4 text-sm">
          Your wallet will ask you to sign this transfer, because you haven't sent to this user before or have sent a
          lot today.
        </p>
      )}
    </ConfirmDialog>
  )
}
