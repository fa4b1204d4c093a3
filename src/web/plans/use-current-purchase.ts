import { useState } from 'react'
import type { Usdt } from '../../protocol/money.ts'
import type { Purchase } from './purchases.ts'

type Bought = { amount: Usdt; purchase?: Purchase }
type Payments = { add: (purchase: Purchase) => void; dismiss: (hash: string) => void }

/** What the form bought last: a payment on its way, or a plan that started at once. It takes the place of the button. */
export function useCurrentPurchase({ add, dismiss }: Payments) {
  const [bought, setBought] = useState<Bought>()
  const onSent = (purchase: Purchase) => {
    add(purchase)
    setBought({ amount: purchase.usdt_amount, purchase })
  }
  const onStarted = (amount: Usdt) => setBought({ amount })
  const forget = () => {
    if (bought?.purchase) dismiss(bought.purchase.trans_hash)
    setBought(undefined)
  }
  return { bought, onSent, onStarted, forget }
}

export type CurrentPurchase = ReturnType<typeof useCurrentPurchase>
