import { useMemo } from 'react'
import { z } from 'zod'
import { colour } from '../../../protocol/colour.ts'
import { Money } from '../../../ui/money.tsx'
import { notify } from '../../../ui/toast.tsx'
import { call, useRead } from '../api/api.ts'
import { createKeptPayments, type Payment, paymentFields } from '../payments/kept-payments.ts'
import { PaymentProgress } from '../payments/payment-progress.tsx'
import { usePayments } from '../payments/use-payments.ts'
import { useProgress } from '../payments/use-progress.ts'

const kept = createKeptPayments<Payment>('bet-deposits', z.object(paymentFields))

/** Deposits from the chain into the bet wallet that are on their way. They survive a reload. */
export function useBetDeposits() {
  const waiting = useRead(colour.walletHistory, { state: 'pending' }).data?.data
  const fromServer = useMemo(
    () => waiting?.flatMap(({ trans_hash, amount }) => (trans_hash ? [{ trans_hash, usdt_amount: amount }] : [])),
    [waiting],
  )
  return usePayments(kept, fromServer)
}

type BetDepositsProps = { deposits: ReturnType<typeof useBetDeposits>; onDone: () => void }

export const BetDeposits = ({ deposits: { payments, dismiss }, onDone }: BetDepositsProps) =>
  payments.map((payment) => (
    <div key={payment.trans_hash} className="rounded-inner bg-sunken p-4">
      <BetDeposit payment={payment} onDone={onDone} onDismiss={() => dismiss(payment.trans_hash)} />
    </div>
  ))

const texts = {
  lastStep: 'In your bet wallet',
  done: 'The money is in your bet wallet',
  failed: 'The money did not go to your bet wallet',
}
const FAILED_HINT = 'If the money left your wallet and is not in your bet wallet, it goes to your wallet balance.'

type BetDepositProps = { payment: Payment; onDone: () => void; onDismiss: () => void }

function BetDeposit({ payment: { trans_hash, usdt_amount }, onDone, onDismiss }: BetDepositProps) {
  const post = async () => {
    const input = { direction: 'deposit', source: 'chain', amount: usdt_amount, trans_hash } as const
    const reply = await call(colour.wallet, input)
    kept.forget(trans_hash)
    return reply
  }
  const whenDone = () => {
    notify.success(texts.done)
    onDone()
  }
  const progress = useProgress({ path: colour.wallet.path, hash: trans_hash, post, onDone: whenDone })
  return (
    <PaymentProgress
      title={<Money amount={usdt_amount} exact />}
      hash={trans_hash}
      progress={progress}
      texts={texts}
      failedHint={FAILED_HINT}
      onDismiss={onDismiss}
    />
  )
}
