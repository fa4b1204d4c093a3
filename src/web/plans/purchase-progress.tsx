import type { Details } from '../../protocol/balance.ts'
import { plans } from '../../protocol/plans.ts'
import { noticeTexts } from '../../protocol/texts.ts'
import { Card } from '../../ui/card.tsx'
import { celebrate } from '../../ui/celebration.ts'
import { Money } from '../../ui/money.tsx'
import { notify } from '../../ui/toast.tsx'
import { call } from '../shared/api/api.ts'
import { refreshDetails } from '../shared/money/details.ts'
import { PaymentProgress } from '../shared/payments/payment-progress.tsx'
import { useProgress } from '../shared/payments/use-progress.ts'
import { keptPurchases, type Purchase } from './purchases.ts'
import { useTiers } from './use-tiers.ts'

const texts = { lastStep: 'Active', done: 'The plan is active', failed: 'The purchase failed' }

type ProgressProps = { purchase: Purchase; details: Details; onDismiss: (hash: string) => void }

/** The progress of one purchase: signed, sent, confirmed, active. */
export function PurchaseProgress({ purchase, details, onDismiss }: ProgressProps) {
  const { trans_hash, usdt_amount, package_type } = purchase
  const post = async () => {
    const addresses = { from_address: details.wallet_address, to_address: details.support }
    const reply = await call(plans.buy, { usdt_amount, ...addresses, trans_hash, package_type })
    keptPurchases.forget(trans_hash)
    return reply
  }
  const onDone = () => {
    notify.success(noticeTexts.planPurchased)
    celebrate()
    void refreshDetails()
  }
  const progress = useProgress({ path: plans.buy.path, hash: trans_hash, post, onDone })
  const tier = useTiers().tiers.find(({ packageType }) => packageType === package_type)
  const title = (
    <>
      {tier?.name} · <Money amount={usdt_amount} exact />
    </>
  )
  return (
    <Card>
      <PaymentProgress
        title={title}
        hash={trans_hash}
        progress={progress}
        texts={texts}
        onDismiss={() => onDismiss(trans_hash)}
      />
    </Card>
  )
}
