import { useState } from 'react'
import { Link } from 'react-router'
import { colour } from '../../protocol/colour.ts'
import type { Usdt } from '../../protocol/money.ts'
import { AmountField } from '../../ui/amount-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { notify } from '../../ui/toast.tsx'
import { readAmount } from '../amounts.ts'
import { useCall } from '../api.ts'
import { refreshGame } from './use-table.ts'

type TopUpDialogProps = { open: boolean; onClose: () => void; wallet: Usdt; bet: Usdt }
const directions = [
  { id: 'deposit', label: 'Into the bet wallet' },
  { id: 'withdraw', label: 'Back to the wallet' },
] as const

/** Between the wallet balance and the bet wallet, at once. */
export function TopUpDialog({ open, onClose, wallet, bet }: TopUpDialogProps) {
  const [direction, setDirection] = useState<'deposit' | 'withdraw'>('deposit')
  const [text, setText] = useState('')
  const move = useCall(colour.wallet)
  const held = direction === 'deposit' ? wallet : bet
  const amount = readAmount(text)
  const complaint = amount !== undefined && amount > held ? 'Insufficient balance' : undefined
  const leave = () => {
    setText('')
    move.reset()
    onClose()
  }
  const submit = () => {
    if (!amount || complaint) return
    const done = ({ Msg }: { Msg: string }) => {
      notify.success(Msg)
      refreshGame()
      leave()
    }
    move.mutate({ direction, amount, source: 'wallet' }, { onSuccess: done })
  }
  return (
    <Dialog
      open={open}
      onClose={leave}
      title="Move money"
      locked={move.isPending}
      actions={
        <>
          <Button variant="quiet" onClick={leave} disabled={move.isPending}>
            Cancel
          </Button>
          <Button onClick={submit} busy={move.isPending} disabled={!amount || complaint !== undefined}>
            Move
          </Button>
        </>
      }
    >
      <Tabs label="Direction" tabs={directions} selected={direction} onSelect={setDirection}>
        <AmountField
          label={direction === 'deposit' ? 'From your wallet balance' : 'From your bet wallet'}
          value={text}
          onChange={setText}
          max={held}
          error={complaint ?? move.error?.message}
        />
      </Tabs>
      <p className="mt-4 text-sm">
        No balance yet?{' '}
        <Link to="/user/wallet" className="font-semibold text-primary underline underline-offset-4">
          Deposit from your wallet
        </Link>
      </p>
    </Dialog>
  )
}
