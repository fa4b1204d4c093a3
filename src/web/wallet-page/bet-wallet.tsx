import { useState } from 'react'
import { colour } from '../../protocol/colour.ts'
import type { Usdt } from '../../protocol/money.ts'
import { AmountField } from '../../ui/amount-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Money } from '../../ui/money.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { notify } from '../../ui/toast.tsx'
import { readAmount } from '../amounts.ts'
import { useCall } from '../api.ts'

type BetWalletProps = { wallet: Usdt; bet: Usdt; onChange: () => void }
const directions = [
  { id: 'deposit', label: 'In' },
  { id: 'withdraw', label: 'Out' },
] as const

/** Between the wallet balance and the bet wallet, at once, both ways. */
export function BetWallet({ wallet, bet, onChange }: BetWalletProps) {
  const [direction, setDirection] = useState<'deposit' | 'withdraw'>('deposit')
  const [text, setText] = useState('')
  const move = useCall(colour.wallet)
  const held = direction === 'deposit' ? wallet : bet
  const amount = readAmount(text)
  const complaint = amount !== undefined && amount > held ? 'Insufficient balance' : undefined
  const submit = () => {
    if (!amount || complaint) return
    move.mutate(
      { direction, amount, source: 'wallet' },
      {
        onSuccess: ({ Msg }) => {
          notify.success(Msg)
          setText('')
          onChange()
        },
      },
    )
  }
  return (
    <Card className="grid gap-4" aria-label="Bet wallet">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-xl">Bet wallet</h2>
        <Money amount={bet} className="font-display text-xl" />
      </div>
      <Tabs label="Direction" tabs={directions} selected={direction} onSelect={setDirection}>
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <AmountField
            label={direction === 'deposit' ? 'Into the bet wallet' : 'Back to the wallet balance'}
            value={text}
            onChange={(value) => {
              move.reset()
              setText(value)
            }}
            max={held}
            error={complaint ?? move.error?.message}
          />
          <Button type="submit" variant="quiet" busy={move.isPending} disabled={!amount || complaint !== undefined}>
            Move
          </Button>
        </form>
      </Tabs>
    </Card>
  )
}
