import { ZERO } from '../../../protocol/money.ts'
import { withdrawalParts } from '../../../protocol/withdrawals.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { amountText } from '../../../ui/format.ts'
import { type Source, sourceLabels } from '../money/source-picker.tsx'
import { Summary } from '../money/summary.tsx'
import type { Terms, useWithdrawal } from './use-withdrawal.ts'

type WithdrawalDialogProps = { flow: ReturnType<typeof useWithdrawal>; source: Source; limits: Terms }

const waitingTexts = { sign: 'Sign in your wallet', send: 'Sending' } as const

/** Shows the whole address and every amount with all decimals, before the user signs. */
export function WithdrawalDialog({ flow, source, limits }: WithdrawalDialogProps) {
  const amount = flow.amount ?? ZERO
  const { fee, net } = withdrawalParts(amount, limits.fee_percent)
  const busy = flow.stage === 'sign' || flow.stage === 'send'
  return (
    <ConfirmDialog
      open={flow.stage !== 'edit'}
      title="Confirm withdrawal"
      action={busy ? waitingTexts[flow.stage as keyof typeof waitingTexts] : 'Sign and withdraw'}
      onConfirm={flow.confirm}
      onCancel={flow.cancel}
      busy={busy}
    >
      <div className="grid gap-4">
        <p className="figures font-display text-4xl text-ink">
          {amountText(net)} <span className="text-xl">USDT</span>
        </p>
        <div className="grid gap-1.5">
          <p className="text-sm">to your wallet</p>
          <p data-testid="whole-address" className="figures break-all rounded-inner bg-sunken p-3 font-medium text-ink">
            {limits.address}
          </p>
        </div>
        <Summary
          lines={[
            { name: 'From', value: sourceLabels[source] },
            { name: 'You withdraw', value: `${amountText(amount)} USDT` },
            { name: 'Fee', value: `${amountText(fee)} USDT` },
            { name: 'Your wallet receives', value: `${amountText(net)} USDT` },
          ]}
        />
        <p className="text-sm">
          Your wallet will ask you to sign exactly this. Check the amount, the fee and the address there too.
        </p>
      </div>
    </ConfirmDialog>
  )
}
