import type { Details } from '../../protocol/balance.ts'
import type { Usdt } from '../../protocol/money.ts'
import { plans } from '../../protocol/plans.ts'
import type { Tier } from '../../protocol/terms.ts'
import { noticeTexts } from '../../protocol/texts.ts'
import { newInternalHash } from '../../protocol/top-up.ts'
import { celebrate } from '../../ui/celebration.ts'
import { notify } from '../../ui/toast.tsx'
import { call } from '../shared/api/api.ts'
import { refreshDetails } from '../shared/money/details.ts'
import { useOneAtATime } from '../shared/page/use-one-at-a-time.ts'
import { notifyWalletProblem } from '../shared/wallet/errors.ts'
import { openWallet } from '../shared/wallet/open.ts'
import type { Purchase } from './purchases.ts'

export type Method = 'chain' | 'wallet' | 'elsewhere'
export type Order = { tier: Tier; amount: Usdt; details: Details }
type Outcome = {
  /** Declares age and country, if that is still to do. False: nothing may be bought. */
  declare: () => Promise<boolean>
  onSent: (purchase: Purchase) => void
  onStarted: (amount: Usdt) => void
}

/** Pays for a plan. A payment on chain becomes a pending purchase; the wallet balance pays immediately. */
export function usePurchase({ declare, onSent, onStarted }: Outcome) {
  const { isBusy, run } = useOneAtATime()

  const guarded = (work: () => Promise<void>) =>
    run(() => work().catch((error) => notifyWalletProblem(error, 'You declined in your wallet. Nothing was sent.')))

  const payOnChain = ({ tier, amount, details }: Order) =>
    guarded(async () => {
      if (!(await declare())) return
      const { signer } = await openWallet(details.wallet_address)
      const trans_hash = await signer.sendUsdt(details.support, amount)
      onSent({ trans_hash, usdt_amount: amount, package_type: tier.packageType })
    })

  const payFromWallet = ({ tier, amount, details }: Order) =>
    guarded(async () => {
      if (!(await declare())) return
      await call(plans.buy, {
        usdt_amount: amount,
        from_address: details.wallet_address,
        to_address: details.support,
        trans_hash: newInternalHash(crypto.getRandomValues(new Uint8Array(24))),
        package_type: tier.packageType,
      })
      onStarted(amount)
      notify.success(noticeTexts.planPurchased)
      celebrate()
      await refreshDetails()
    })

  /** For a payment made in another app: its hash is all we need. */
  const postHash = ({ tier, amount }: Order, trans_hash: string) =>
    guarded(async () => {
      if (await declare()) onSent({ trans_hash, usdt_amount: amount, package_type: tier.packageType })
    })

  const pay = (order: Order, method: Exclude<Method, 'elsewhere'>) =>
    method === 'chain' ? payOnChain(order) : payFromWallet(order)

  return { isBusy, pay, postHash }
}
