import { useEffect, useMemo, useRef } from 'react'
import { z } from 'zod'
import { colour } from '../../../protocol/colour.ts'
import { txHash } from '../../../protocol/ids.ts'
import { wallet } from '../../../protocol/wallet.ts'
import { Money } from '../../../ui/money.tsx'
import { notify } from '../../../ui/toast.tsx'
import { CallError, call, useRead } from '../api/api.ts'
import { createKeptPayments, type Payment, paymentFields } from '../payments/kept-payments.ts'
import { PaymentProgress } from '../payments/payment-progress.tsx'
import { usePayments } from '../payments/use-payments.ts'
import { useProgress } from '../payments/use-progress.ts'

/** Where money from the chain goes. */
export type Target = 'wallet' | 'bet'

const keptFor = (key: string) => createKeptPayments<Payment>(key, z.object(paymentFields))

/** `look` reports the payment and returns its progress. It is safe to repeat. */
const targets = {
  wallet: {
    path: wallet.deposit.path,
    kept: keptFor('deposits'),
    look: async ({ trans_hash, usdt_amount }: Payment) => {
      const hash = txHash.parse(trans_hash)
      const { state, ...reply } = await call(wallet.deposit, { trans_hash: hash, amount: usdt_amount })
      if (state === 'failed') throw new CallError('payment_refused', { message: reply.Msg })
      return { ...reply, status: state === 'waiting' ? ('pending' as const) : reply.status }
    },
    texts: {
      lastStep: 'In your balance',
      done: 'The money is in your balance',
      failed: 'The money did not go to your balance',
    },
    failedHint: 'If the money left your wallet, it appears under Deposits on the Wallet page.',
  },
  bet: {
    path: colour.wallet.path,
    kept: keptFor('bet-deposits'),
    look: ({ trans_hash, usdt_amount }: Payment) =>
      call(colour.wallet, { direction: 'deposit', source: 'chain', amount: usdt_amount, trans_hash }),
    texts: {
      lastStep: 'In your bet wallet',
      done: 'The money is in your bet wallet',
      failed: 'The money did not go to your bet wallet',
    },
    failedHint: 'If the money left your wallet and is not in your bet wallet, it goes to your wallet balance.',
  },
}

/** Deposits from the chain that are on their way. They survive a reload. */
export function useDeposits(to: Target) {
  const pending = useRead(colour.walletHistory, { state: 'pending' }, { enabled: to === 'bet' }).data?.data
  const fromServer = useMemo(
    () => pending?.flatMap(({ trans_hash, amount }) => (trans_hash ? [{ trans_hash, usdt_amount: amount }] : [])),
    [pending],
  )
  return usePayments(targets[to].kept, fromServer)
}

type DepositsProps = {
  to: Target
  deposits: ReturnType<typeof useDeposits>
  onDone: (hash: string) => void
  onFailed?: (hash: string) => void
}

export const Deposits = ({ to, deposits: { payments, dismiss }, onDone, onFailed }: DepositsProps) =>
  payments.map((payment) => (
    <div key={payment.trans_hash} className="rounded-inner bg-sunken p-4 text-ink">
      <Deposit
        to={to}
        payment={payment}
        onDone={() => onDone(payment.trans_hash)}
        onFailed={() => onFailed?.(payment.trans_hash)}
        onDismiss={() => dismiss(payment.trans_hash)}
      />
    </div>
  ))

type DepositProps = {
  to: Target
  payment: Payment
  onDone: () => void
  onFailed: () => void
  onDismiss: () => void
}

function Deposit({ to, payment, onDone, onFailed, onDismiss }: DepositProps) {
  const { path, kept, look, texts, failedHint } = targets[to]
  const { trans_hash, usdt_amount } = payment
  const post = async () => {
    const reply = await look(payment)
    // The server lists pending deposits into the bet wallet, so this browser need not keep them any longer.
    if (to === 'bet' || reply.status === 'success') kept.forget(trans_hash)
    return reply
  }
  const whenDone = () => {
    notify.success(texts.done)
    onDone()
  }
  const progress = useProgress({ path, hash: trans_hash, post, onDone: whenDone })
  const whenFailed = useRef(onFailed)
  whenFailed.current = onFailed
  useEffect(() => {
    if (progress.state === 'failed') whenFailed.current()
  }, [progress.state])
  return (
    <PaymentProgress
      title={<Money amount={usdt_amount} exact />}
      hash={trans_hash}
      progress={progress}
      texts={texts}
      failedHint={failedHint}
      onDismiss={onDismiss}
    />
  )
}
