import { TriangleAlert } from 'lucide-react'
import { ZERO } from '../../protocol/money.ts'
import { dailyReward } from '../../protocol/rewards.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { amountText, percentText } from '../../ui/format.ts'
import { DeclarationFields } from '../shared/declare/declaration-fields.tsx'
import type { DeclarationState } from '../shared/declare/use-declaration.ts'
import { Summary } from '../shared/money/summary.tsx'
import { returnDate } from './outlook.tsx'
import type { Method, Order } from './use-purchase.ts'

type BuySheetProps = {
  open: boolean
  order: Order | undefined
  method: Exclude<Method, 'elsewhere'>
  isBusy: boolean
  declaration: DeclarationState
  onConfirm: () => void
  onCancel: () => void
}

const sources = { chain: 'My wallet, on chain', wallet: 'My balance' }
const waitingTexts = { chain: 'Sign in your wallet', wallet: 'Paying' }

/** Names amount, lock, the day of return and the risk before any money moves. */
export function BuySheet({ open, order, method, isBusy, declaration, onConfirm, onCancel }: BuySheetProps) {
  const amount = amountText(order?.amount ?? ZERO)
  return (
    <ConfirmDialog
      open={open}
      title={`Buy ${order?.tier.name ?? ''}`}
      action={isBusy ? waitingTexts[method] : `${declaration.prefix}Pay ${amount} USDT`}
      onConfirm={onConfirm}
      onCancel={onCancel}
      busy={isBusy}
      disabled={!declaration.isReady}
    >
      {order && (
        <div className="grid gap-4">
          <p className="figures font-display text-4xl text-ink">
            {amount} <span className="text-xl">USDT</span>
          </p>
          <Summary
            lines={[
              { name: 'From', value: sources[method] },
              {
                name: `Per day, at ${percentText(order.tier.dailyRatePpm)}`,
                value: `${amountText(dailyReward(order.amount, order.tier.dailyRatePpm))} USDT`,
              },
              { name: 'Locked for', value: `${order.tier.termDays} days` },
              { name: 'Back in your balance on', value: returnDate(order.details.today, order.tier) },
            ]}
          />
          <p className="flex items-start gap-2.5 rounded-inner bg-gold-tint p-4 text-gold-ink text-sm">
            <TriangleAlert size={18} className="mt-px shrink-0" aria-hidden="true" />
            <span>
              You can't take the {amount} USDT out before that day. Rewards are not guaranteed: if the operator's pool
              is empty, they wait until it is funded again.
            </span>
          </p>
          <DeclarationFields declaration={declaration} doing="paying" />
        </div>
      )}
    </ConfirmDialog>
  )
}
