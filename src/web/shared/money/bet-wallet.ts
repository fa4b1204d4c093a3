import { useState } from 'react'
import { colour } from '../../../protocol/colour.ts'
import { refuseBetWalletMove } from '../../../protocol/colour-bets.ts'
import type { Usdt } from '../../../protocol/money.ts'
import { notify } from '../../../ui/toast.tsx'
import { useCall, useRead } from '../api/api.ts'
import type { Payment } from '../payments/kept-payments.ts'
import { notifyWalletProblem } from '../wallet/errors.ts'
import { openWallet } from '../wallet/open.ts'
import { readAmount } from './amounts.ts'
import { useDetails } from './details.ts'

type BetWalletMove = {
  wallet: Usdt
  bet: Usdt
  onMoved: () => void
  /** A payment on chain was sent. It is in the bet wallet once it is final. */
  onSent: (payment: Payment) => void
}

/** Where money for the bet wallet comes from. Back it goes only to the wallet balance. */
export const depositSources = [
  { value: 'wallet', label: 'Wallet balance' },
  { value: 'chain', label: 'On chain' },
] as const
type Source = (typeof depositSources)[number]['value']

/** State of the form that moves money into the bet wallet, from the wallet balance or from the chain, and back. */
export function useBetWallet({ wallet, bet, onMoved, onSent }: BetWalletMove) {
  const [direction, setDirection] = useState<'deposit' | 'withdraw'>('deposit')
  const [source, setSource] = useState<Source>('wallet')
  const [text, setText] = useState('')
  const [isSigning, setSigning] = useState(false)
  const move = useCall(colour.wallet)
  const isOnChain = direction === 'deposit' && source === 'chain'
  const game = useRead(colour.activeGame, {}, { enabled: isOnChain })
  const closedBecause = game.data?.data.closed_because
  const address = useDetails().details?.wallet_address
  const held = isOnChain ? undefined : direction === 'deposit' ? wallet : bet
  const amount = readAmount(text)
  const refusal = refuseBetWalletMove(amount, held)
  // The server refuses a deposit while the game is closed to this user. By then the USDT would have left the wallet.
  const canSign = address !== undefined && closedBecause === null
  const change = (value: string) => {
    move.reset()
    setText(value)
  }
  const submit = () => {
    if (!amount || refusal) return
    if (isOnChain) return void (canSign && sendOnChain(amount, address))
    const done = ({ Msg }: { Msg: string }) => {
      notify.success(Msg)
      setText('')
      onMoved()
    }
    move.mutate({ direction, amount, source: 'wallet' }, { onSuccess: done })
  }
  const sendOnChain = async (usdt_amount: Usdt, from: NonNullable<typeof address>) => {
    setSigning(true)
    try {
      const { signer, info } = await openWallet(from)
      onSent({ trans_hash: await signer.sendUsdt(info.support, usdt_amount), usdt_amount })
      setText('')
    } catch (error) {
      notifyWalletProblem(error, 'You declined in your wallet. Nothing was sent.')
    }
    setSigning(false)
  }
  return {
    direction,
    setDirection,
    source,
    setSource,
    isOnChain,
    text,
    change,
    held,
    error:
      (isOnChain ? (closedBecause ?? game.error?.message) : undefined) ??
      (text === '' ? undefined : refusal?.message) ??
      move.error?.message,
    ready: refusal === undefined && (!isOnChain || canSign),
    isSigning,
    busy: move.isPending || isSigning,
    submit,
  }
}

export type BetWalletForm = ReturnType<typeof useBetWallet>
