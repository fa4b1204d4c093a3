import { Link } from 'react-router'
import type { Usdt } from '../../protocol/money.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useBetWallet } from '../shared/money/bet-wallet.ts'
import { actionText, BetWalletFields } from '../shared/money/bet-wallet-fields.tsx'
import type { Payment } from '../shared/payments/kept-payments.ts'
import { refreshGame } from './use-table.ts'

type TopUpDialogProps = {
  open: boolean
  onClose: () => void
  wallet: Usdt
  bet: Usdt
  onSent: (payment: Payment) => void
}
const directions = [
  { id: 'deposit', label: 'Into the bet wallet' },
  { id: 'withdraw', label: 'Back to the wallet' },
] as const

/** Moves money into the bet wallet, from the wallet balance or from the chain, and back. */
export function TopUpDialog({ open, onClose, wallet, bet, onSent }: TopUpDialogProps) {
  const leave = () => {
    form.change('')
    onClose()
  }
  const onMoved = () => {
    refreshGame()
    onClose()
  }
  const whenSent = (payment: Payment) => {
    onSent(payment)
    onClose()
  }
  const form = useBetWallet({ wallet, bet, onMoved, onSent: whenSent })
  return (
    <ConfirmDialog
      open={open}
      title="Move money"
      action={actionText(form)}
      onConfirm={form.submit}
      onCancel={leave}
      busy={form.busy}
      disabled={!form.ready}
    >
      <Tabs label="Direction" tabs={directions} selected={form.direction} onSelect={form.setDirection}>
        <BetWalletFields form={form} />
      </Tabs>
      <p className="mt-4 text-sm">
        <Link to="/user/wallet#bet-wallet-history" className="font-semibold text-primary underline underline-offset-4">
          See what you moved so far
        </Link>
      </p>
    </ConfirmDialog>
  )
}
