import { Link } from 'react-router'
import type { Usdt } from '../../protocol/money.ts'
import { AmountField } from '../../ui/amount-field.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useBetWallet } from '../shared/money/bet-wallet.ts'
import { refreshGame } from './use-table.ts'

type TopUpDialogProps = { open: boolean; onClose: () => void; wallet: Usdt; bet: Usdt }
const directions = [
  { id: 'deposit', label: 'Into the bet wallet' },
  { id: 'withdraw', label: 'Back to the wallet' },
] as const

/** Moves money between the wallet balance and the bet wallet, in either direction. */
export function TopUpDialog({ open, onClose, wallet, bet }: TopUpDialogProps) {
  const leave = () => {
    move.change('')
    onClose()
  }
  const onMoved = () => {
    refreshGame()
    onClose()
  }
  const move = useBetWallet({ wallet, bet, onMoved })
  return (
    <ConfirmDialog
      open={open}
      title="Move money"
      action="Move"
      onConfirm={move.submit}
      onCancel={leave}
      busy={move.busy}
      disabled={!move.ready}
    >
      <Tabs label="Direction" tabs={directions} selected={move.direction} onSelect={move.setDirection}>
        <AmountField
          label={move.direction === 'deposit' ? 'From your wallet balance' : 'From your bet wallet'}
          value={move.text}
          onChange={move.change}
          max={move.held}
          error={move.error}
        />
      </Tabs>
      <p className="mt-4 text-sm">
        No balance yet?{' '}
        <Link to="/user/wallet" className="font-semibold text-primary underline underline-offset-4">
          Deposit from your wallet
        </Link>
      </p>
    </ConfirmDialog>
  )
}
