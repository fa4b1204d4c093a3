import { type ReactNode, useDeferredValue, useState } from 'react'
import type { Details } from '../../protocol/balance.ts'
import { formatUsdt, larger, smaller, subtract, type Usdt, ZERO } from '../../protocol/money.ts'
import { refusePurchase, refuseTierAmount } from '../../protocol/plans.ts'
import type { Refusal } from '../../protocol/rules.ts'
import type { Tier } from '../../protocol/terms.ts'
import { AmountField } from '../../ui/amount-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { amountText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Slider } from '../../ui/slider.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Blocked } from '../shared/declare/declaration-fields.tsx'
import { type DeclarationState, useDeclaration } from '../shared/declare/use-declaration.ts'
import { AddMoneySheet } from '../shared/money/add-money-sheet.tsx'
import { readAmount } from '../shared/money/amounts.ts'
import { Deposits, useDeposits } from '../shared/money/deposits.tsx'
import { refreshDetails } from '../shared/money/details.ts'
import { usdtOf } from '../shared/wallet/chain-usdt.ts'
import { useChainBalance } from '../shared/wallet/use-chain-balance.ts'
import { amountSteps, stepOf } from './amount-steps.ts'
import { BuySheet } from './buy-sheet.tsx'
import { Elsewhere } from './elsewhere.tsx'
import { Outlook } from './outlook.tsx'
import { PurchaseButton, Started } from './purchase-progress.tsx'
import type { CurrentPurchase } from './use-current-purchase.ts'
import { type Method, type Order, usePurchase } from './use-purchase.ts'
import type { TierAmount } from './use-tier-amount.ts'

type BuyFormProps = {
  tiers: readonly Tier[]
  tier: Tier
  field: TierAmount
  details: Details
  current: CurrentPurchase
}

const methods = [
  { id: 'chain', label: 'My wallet' },
  { id: 'wallet', label: 'My balance' },
  { id: 'elsewhere', label: 'QR code' },
] as const

export function BuyForm({ tiers, tier, field, details, current }: BuyFormProps) {
  const [tab, setTab] = useState<Method>('chain')
  // The tab answers the tap, what belongs to it follows together.
  const method = useDeferredValue(tab)
  const { bought } = current
  const declaration = useDeclaration()
  const amount = readAmount(field.text)
  const refusal = refusalOf(amount, tier, details, method)
  const order = amount !== undefined && !refusal ? { tier, amount, details } : undefined
  const again = () => {
    current.forget()
    field.choose(tier)
  }
  return (
    <Card className="grid gap-6" padding="l" aria-label={`Buy ${tier.name}`}>
      <div className="grid gap-1">
        <AmountField
          label={`${tier.name} amount`}
          value={field.text}
          onChange={field.change}
          min={tier.from}
          hint={`${amountText(tier.from)} to ${amountText(tier.to)} USDT, for ${tier.termDays} days`}
          max={maxOf(tiers, details, method)}
          error={field.text === '' ? undefined : refusal?.message}
          disabled={bought !== undefined}
        />
        <AmountSlider
          tiers={tiers}
          tier={tier}
          amount={amount}
          onChange={field.change}
          disabled={bought !== undefined}
        />
      </div>
      <Outlook tier={tier} amount={bought?.amount ?? order?.amount} details={details} />
      {bought?.purchase ? (
        <PurchaseButton purchase={bought.purchase} details={details} onDismiss={again} />
      ) : bought ? (
        <Started onAgain={again} />
      ) : declaration.blockedBecause ? (
        <Blocked reason={declaration.blockedBecause} />
      ) : (
        <Tabs label="Pay from" tabs={methods} selected={tab} onSelect={setTab}>
          <Pay
            declaration={declaration}
            method={method}
            details={details}
            tier={tier}
            order={order}
            current={current}
            onBought={() => field.change('')}
          >
            {method === 'wallet' ? (
              <InBalance details={details} missing={missingOf(amount, details)} />
            ) : (
              <InWallet details={details} />
            )}
          </Pay>
        </Tabs>
      )}
    </Card>
  )
}

type PayProps = {
  declaration: DeclarationState
  method: Method
  details: Details
  tier: Tier
  order: Order | undefined
  current: CurrentPurchase
  onBought: () => void
  /** What the source holds, below the button. */
  children: ReactNode
}

/** One way to pay: the button with its confirmation, or the address for another app. */
function Pay({ declaration, method, details, tier, order, current, onBought, children }: PayProps) {
  const [isConfirming, setConfirming] = useState(false)
  const then =
    <Result,>(tell: (result: Result) => void) =>
    (result: Result) => {
      setConfirming(false)
      onBought()
      tell(result)
    }
  const { isBusy, pay, postHash } = usePurchase({
    declare: declaration.confirm,
    onSent: then(current.onSent),
    onStarted: then(current.onStarted),
  })
  if (method === 'elsewhere')
    return (
      <Elsewhere
        ready={order !== undefined}
        support={details.support}
        declaration={declaration}
        onHash={(hash) => order && void postHash(order, hash)}
      />
    )
  return (
    <div className="grid gap-3">
      <Button size="l" wide disabled={!order} onClick={() => setConfirming(true)}>
        Buy {tier.name}
      </Button>
      {children}
      <BuySheet
        open={isConfirming}
        order={order}
        method={method}
        isBusy={isBusy}
        declaration={declaration}
        onConfirm={() => order && void pay(order, method)}
        onCancel={() => setConfirming(false)}
      />
    </div>
  )
}

type AmountSliderProps = {
  tiers: readonly Tier[]
  tier: Tier
  amount: Usdt | undefined
  onChange: (text: string) => void
  disabled: boolean
}

/** Moving it fills in the amount, and the amount chooses the tier. */
function AmountSlider({ tiers, tier, amount, onChange, disabled }: AmountSliderProps) {
  const steps = amountSteps(tiers)
  return (
    <Slider
      label="Amount and tier"
      count={steps.length}
      value={stepOf(steps, amount)}
      text={`${amountText(amount ?? ZERO)} USDT, ${tier.name}`}
      onChange={(position) => onChange(formatUsdt(steps[position] ?? ZERO))}
      disabled={disabled}
    />
  )
}

/** What the wallet on chain holds, if the chain can be read. */
function InWallet({ details: { wallet_address } }: { details: Details }) {
  const { data } = useChainBalance('usdt', wallet_address)
  return (
    <p className="text-faint text-sm">
      {data && (
        <>
          <Money amount={usdtOf(data)} className="font-semibold text-ink" /> in the wallet you signed in with.{' '}
        </>
      )}
      Once it is sent, you can close this page: your plan starts automatically.
    </p>
  )
}

/** What the balance holds, and the sheet that adds what is missing. */
function InBalance({ details, missing }: { details: Details; missing: Usdt }) {
  const [isAdding, setAdding] = useState(false)
  const deposits = useDeposits('wallet')
  return (
    <>
      <p className="text-faint text-sm">
        <Money amount={details.wallet} className="font-semibold text-ink" /> in your wallet balance. The plan starts
        immediately.
      </p>
      {missing > ZERO && (
        <Button variant="outline" onClick={() => setAdding(true)}>
          Add {amountText(missing)} USDT
        </Button>
      )}
      <Deposits to="wallet" deposits={deposits} onDone={refreshDetails} />
      <AddMoneySheet
        to="wallet"
        open={isAdding}
        missing={missing}
        onClose={() => setAdding(false)}
        onSent={deposits.add}
      />
    </>
  )
}

const missingOf = (amount: Usdt | undefined, { wallet }: Details): Usdt =>
  amount === undefined ? ZERO : larger(subtract(amount, wallet), ZERO)

function maxOf(tiers: readonly Tier[], details: Details, method: Method): Usdt {
  const room = larger(subtract(details.max_amount, details.planamount), ZERO)
  const most = smaller(tiers.at(-1)?.to ?? room, room)
  return method === 'wallet' ? smaller(most, details.wallet) : most
}

function refusalOf(amount: Usdt | undefined, tier: Tier, details: Details, method: Method): Refusal | undefined {
  const { planamount: planAmount, max_amount: planAmountMax } = details
  const bounds = { planAmount, planAmountMax, wallet: method === 'wallet' ? details.wallet : undefined }
  return refuseTierAmount(amount, tier) ?? (amount && refusePurchase(amount, bounds))
}
