import { useState } from 'react'
import type { Details } from '../../protocol/balance.ts'
import { ZERO } from '../../protocol/money.ts'
import { plans } from '../../protocol/plans.ts'
import { errorTexts, noticeTexts } from '../../protocol/texts.ts'
import {
  feePackageType,
  mainPackageType,
  newInternalHash,
  refuseTopUp,
  splitTopUp,
  type TopUpSource,
} from '../../protocol/top-up.ts'
import { celebrate } from '../../ui/celebration.ts'
import { notify } from '../../ui/toast.tsx'
import { CallError, call } from '../shared/api/api.ts'
import { useDeclaration } from '../shared/declare/use-declaration.ts'
import { readAmount } from '../shared/money/amounts.ts'
import { refreshDetails, topUpBalances } from '../shared/money/details.ts'
import { useOneAtATime } from '../shared/page/use-one-at-a-time.ts'

/** The state of the page: choose a source, enter an amount, check, confirm, then make the three calls. */
export function useTopUp(details: Details | undefined) {
  const declaration = useDeclaration()
  const [chosen, setSource] = useState<TopUpSource>()
  const source = chosen ?? fuller(details)
  const [amount, setAmountText] = useState('')
  const [error, setError] = useState<string>()
  const [confirming, setConfirming] = useState(false)
  const { isBusy: processing, run } = useOneAtATime()
  const whole = readAmount(amount)
  const parts = details && whole !== undefined ? splitTopUp(whole, details.planamount) : undefined

  const change = (text: string) => {
    setAmountText(text)
    // From here on, a reward that arrives does not change the source any more.
    setSource(source)
    setError(undefined)
  }
  const review = () => {
    if (!details) return
    const refusal = refuseTopUp(whole, source, topUpBalances(details))
    setError(refusal?.message)
    setConfirming(!refusal)
  }
  const topUp = async () => {
    if (!details || whole === undefined || !parts) return
    try {
      if (!(await declaration.confirm())) return
      await send(details, source, whole, parts)
      await refreshDetails()
      notify.success(noticeTexts.planPurchased)
      celebrate()
    } catch (failure) {
      notify.error(failureText(failure))
    } finally {
      setConfirming(false)
      change('')
    }
  }
  const choose = (next: TopUpSource) => {
    setSource(next)
    setError(undefined)
  }
  const cancel = () => setConfirming(false)
  return {
    declaration,
    source,
    choose,
    amount,
    change,
    error,
    whole,
    parts,
    review,
    confirming,
    cancel,
    confirm: () => run(topUp),
    processing,
  }
}

/** The source at first: the one that holds more. */
const fuller = (details: Details | undefined): TopUpSource =>
  details && details.planreff > details.planreward ? 'referral' : 'daily'

export type TopUpFlow = ReturnType<typeof useTopUp>
type Whole = NonNullable<TopUpFlow['whole']>
type Parts = NonNullable<TopUpFlow['parts']>

async function send(details: Details, source: TopUpSource, whole: Whole, { main, fee }: Parts): Promise<void> {
  const purchase = { from_address: details.wallet_address, to_address: details.support }
  const first = await call(plans.buy, {
    ...purchase,
    usdt_amount: main,
    gross_amount: whole,
    trans_hash: newHash(),
    package_type: mainPackageType[source],
  })
  if (first.status !== 'success') throw new CallError('payment_refused', { message: first.Msg || errorTexts.purchase })
  // The plan is bought. If one of these calls fails, the server's sweep completes the order.
  await call(plans.upline, { purchase_amount: whole }).catch(() => undefined)
  if (fee > ZERO)
    await call(plans.buy, {
      ...purchase,
      usdt_amount: fee,
      trans_hash: newHash(),
      package_type: feePackageType[source],
    }).catch(() => undefined)
}

const newHash = () => newInternalHash(crypto.getRandomValues(new Uint8Array(24)))

/** The words of the purchase if the server refused it; the spec's other text if it failed or could not be reached. */
function failureText(failure: unknown): string {
  if (!(failure instanceof CallError)) return errorTexts.topUp
  if (failure.code === 'unavailable' || failure.code === 'internal') return errorTexts.topUp
  return failure.message
}
