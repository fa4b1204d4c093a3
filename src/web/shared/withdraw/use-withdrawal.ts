import { useState } from 'react'
import type { MoneySource } from '../../../protocol/balance.ts'
import type { OutputOf } from '../../../protocol/route.ts'
import type { SignedTerms } from '../../../protocol/wallet-signature.ts'
import {
  refuseWithdrawal,
  type Withdrawal,
  type WithdrawalOrder,
  withdrawalParts,
  withdrawals,
  withdrawalTypedData,
} from '../../../protocol/withdrawals.ts'
import { notify } from '../../../ui/toast.tsx'
import { CallError, call } from '../api/api.ts'
import { queries } from '../api/queries.tsx'
import { readAmount } from '../money/amounts.ts'
import { useOneAtATime } from '../page/use-one-at-a-time.ts'
import { notifyWalletProblem } from '../wallet/errors.ts'
import { openWallet } from '../wallet/open.ts'
import { fieldsOf, newSignedTerms } from '../wallet/signed-terms.ts'

export type Terms = OutputOf<typeof withdrawals.terms>['data']
export type Stage = 'edit' | 'confirm' | 'sign' | 'send'

/** The state of the withdrawal form, from typing to the server's reply. */
export function useWithdrawal(limits: Terms, source: MoneySource) {
  const { run } = useOneAtATime()
  const [text, setText] = useState('')
  const [stage, setStage] = useState<Stage>('edit')
  const [answer, setAnswer] = useState<string>()
  const [done, setDone] = useState<Withdrawal>()
  const amount = readAmount(text)
  const { referral_matured, referral_mature_days } = limits
  const matured = source === 'referral' ? { amount: referral_matured, days: referral_mature_days } : undefined
  const bounds = { amountMin: limits.amount_min, held: limits[source], matured, outflowLeft: limits.outflow_left }
  const refusal = refuseWithdrawal(amount, bounds)
  const complaint = text === '' ? undefined : refusal?.message

  async function withdraw(): Promise<void> {
    if (amount === undefined) return
    try {
      const { fee } = withdrawalParts(amount, limits.fee_percent)
      const withdrawal = await request({ amount, fee, source, address: limits.address }, setStage)
      setDone(withdrawal)
      setText('')
      notify.success('Withdrawal requested')
    } catch (error) {
      if (error instanceof CallError) setAnswer(error.message)
      else notifyWalletProblem(error, 'You declined in your wallet. Nothing was sent.')
    } finally {
      setStage('edit')
      // Also after a refusal: the fee or a limit may have changed.
      await refresh()
    }
  }

  return {
    text,
    amount,
    complaint: complaint ?? answer,
    ready: refusal === undefined,
    stage,
    done,
    change(value: string) {
      setAnswer(undefined)
      setText(value)
    },
    review: () => setStage('confirm'),
    cancel: () => setStage('edit'),
    confirm: () => run(withdraw),
  }
}

/** Gets the wallet's signature, then sends the request to the server. */
async function request(
  asked: Omit<WithdrawalOrder, keyof SignedTerms>,
  onStage: (stage: Stage) => void,
): Promise<Withdrawal> {
  onStage('sign')
  const { signer, info } = await openWallet(asked.address)
  const terms = newSignedTerms(info)
  const signature = await signer.signTypedData(withdrawalTypedData({ ...asked, ...terms }))
  onStage('send')
  const { amount, fee, source } = asked
  const reply = await call(withdrawals.request, { amount, fee, source, ...fieldsOf(terms), signature })
  return reply.data
}

/** Refetches withdrawals and the limits that apply to them. */
export const refresh = (): Promise<void> =>
  Promise.all(
    [withdrawals.terms, withdrawals.history].map(({ path }) => queries.invalidateQueries({ queryKey: [path] })),
  ).then(() => undefined)
