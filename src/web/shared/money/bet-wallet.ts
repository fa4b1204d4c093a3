import { useState } from 'react'
import { colour } from '../../../protocol/colour.ts'
import { refuseBetWalletMove } from '../../../protocol/colour-bets.ts'
import type { Usdt } from '../../../protocol/money.ts'
import { notify } from '../../../ui/toast.tsx'
import { useCall } from '../api/api.ts'
import { readAmount } from './amounts.ts'

type BetWalletMove = { wallet: Usdt; bet: Usdt; onMoved: () => void }

/** State of the form that moves money between the wallet balance and the bet wallet. */
export function useBetWallet({ wallet, bet, onMoved }: BetWalletMove) {
  const [direction, setDirection] = useState<'deposit' | 'withdraw'>('deposit')
  const [text, setText] = useState('')
  const move = useCall(colour.wallet)
  const held = direction === 'deposit' ? wallet : bet
  const amount = readAmount(text)
  const refusal = refuseBetWalletMove(amount, held)
  const change = (value: string) => {
    move.reset()
    setText(value)
  }
  const submit = () => {
    if (!amount || refusal) return
    const done = ({ Msg }: { Msg: string }) => {
      notify.success(Msg)
      setText('')
      onMoved()
    }
    move.mutate({ direction, amount, source: 'wallet' }, { onSuccess: done })
  }
  return {
    direction,
    setDirection,
    text,
    change,
    held,
    error: (text === '' ? undefined : refusal?.message) ?? move.error?.message,
    ready: refusal === undefined,
    busy: move.isPending,
    submit,
  }
}
