import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Details } from '../../protocol/balance.ts'
import { plans } from '../../protocol/plans.ts'
import { noticeTexts } from '../../protocol/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { celebrate } from '../../ui/celebration.ts'
import { Money } from '../../ui/money.tsx'
import { notify } from '../../ui/toast.tsx'
import { call } from '../shared/api/api.ts'
import { refreshDetails } from '../shared/money/details.ts'
import { PaymentProgress } from '../shared/payments/payment-progress.tsx'
import { type Progress, useProgress } from '../shared/payments/use-progress.ts'
import { keptPurchases, type Purchase } from './purchases.ts'
import { useTiers } from './use-tiers.ts'

const texts = { lastStep: 'Active', done: 'The plan is active', failed: 'The purchase failed' }

type PurchaseProps = { purchase: Purchase; details: Details; onDismiss: (hash: string) => void }

/** The progress of a purchase from an earlier visit: signed, sent, confirmed, active. */
export function PurchaseProgress({ purchase, details, onDismiss }: PurchaseProps) {
  const progress = usePurchaseProgress(purchase, details)
  return (
    <Card>
      <Steps purchase={purchase} progress={progress} onDismiss={() => onDismiss(purchase.trans_hash)} />
    </Card>
  )
}

/** The purchase just made, where it was made: the button shows how far it is, so it cannot be pressed again. */
export function PurchaseButton({ purchase, details, onDismiss }: PurchaseProps) {
  const progress = usePurchaseProgress(purchase, details)
  const isOver = progress.state === 'done' || progress.state === 'failed'
  const dismiss = () => onDismiss(purchase.trans_hash)
  return (
    <div className="grid gap-5">
      {progress.state === 'done' ? (
        <Started onAgain={dismiss} />
      ) : (
        <Button size="l" wide disabled busy={!isOver} share={shareOf(progress)} className="disabled:opacity-100">
          {buttonText(progress)}
        </Button>
      )}
      <Steps purchase={purchase} progress={progress} onDismiss={dismiss} />
    </div>
  )
}

/** A plan has started: what to do next. */
export const Started = ({ onAgain }: { onAgain: () => void }) => (
  <div className="grid gap-3" role="status">
    <p className="flex h-14 animate-pop items-center justify-center gap-2.5 rounded-[18px] bg-leaf-tint font-semibold text-leaf-ink">
      <Check size={20} aria-hidden="true" />
      Your plan has started
    </p>
    <div className="grid grid-cols-2 gap-3">
      <Button variant="quiet" onClick={onAgain}>
        Buy another
      </Button>
      <Link to="/user/color-game" className={buttonClass()}>
        Play a round
      </Link>
    </div>
  </div>
)

function buttonText({ state, confirmations, needed }: Progress): string {
  if (state === 'failed') return texts.failed
  return state === 'confirming' ? `${Math.min(confirmations, needed)} of ${needed} confirmations` : 'Sent to the chain'
}

const shareOf = ({ state, confirmations, needed }: Progress): number | undefined =>
  state === 'confirming' && needed > 0 ? confirmations / needed : undefined

type StepsProps = { purchase: Purchase; progress: Progress; onDismiss: () => void }

function Steps({ purchase: { trans_hash, usdt_amount, package_type }, progress, onDismiss }: StepsProps): ReactNode {
  const tier = useTiers().tiers.find(({ packageType }) => packageType === package_type)
  const title = (
    <>
      {tier?.name} · <Money amount={usdt_amount} exact />
    </>
  )
  return <PaymentProgress title={title} hash={trans_hash} progress={progress} texts={texts} onDismiss={onDismiss} />
}

function usePurchaseProgress({ trans_hash, usdt_amount, package_type }: Purchase, details: Details): Progress {
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
  return useProgress({ path: plans.buy.path, hash: trans_hash, post, onDone })
}
