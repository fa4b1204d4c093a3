import { useState } from 'react'
import type { Details } from '../../protocol/balance.ts'
import { formatUsdt, larger, smaller, subtract, type Usdt, ZERO } from '../../protocol/money.ts'
import { refusePurchase, refuseTierAmount } from '../../protocol/plans.ts'
import { dailyReward } from '../../protocol/rewards.ts'
import type { Refusal } from '../../protocol/rules.ts'
import type { Tier } from '../../protocol/terms.ts'
import { addDays } from '../../protocol/time.ts'
import { AmountField } from '../../ui/amount-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { dateText, percentText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { readAmount } from '../shared/money/amounts.ts'
import { Elsewhere } from './elsewhere.tsx'
import type { Purchase } from './purchases.ts'
import { type Method, usePurchase } from './use-purchase.ts'

type BuyFormProps = { tier: Tier; details: Details; onSent: (purchase: Purchase) => void }

const methods = [
  { id: 'chain', label: 'My wallet' },
  { id: 'wallet', label: 'Balance' },
  { id: 'elsewhere', label: 'Other app' },
] as const

export function BuyForm({ tier, details, onSent }: BuyFormProps) {
  const [text, setText] = useState('')
  const [method, setMethod] = useState<Method>('chain')
  const { busy, payOnChain, payFromWallet, postHash } = usePurchase(onSent)
  const amount = readAmount(text)
  const refusal = refusalOf(amount, tier, details, method)
  const purchase = amount !== undefined && !refusal ? { tier, amount, details } : undefined
  return (
    <Card className="grid gap-6" padding="l" aria-label={`Buy ${tier.name}`}>
      <AmountField
        label={`${tier.name} amount`}
        value={text}
        onChange={setText}
        min={tier.from}
        hint={`${formatUsdt(tier.from)} to ${formatUsdt(tier.to)} USDT, for ${tier.termDays} days`}
        max={maxOf(tier, details, method)}
        error={text === '' ? undefined : refusal?.message}
        disabled={busy !== undefined}
      />
      <Outlook tier={tier} amount={purchase?.amount} details={details} />
      <Tabs label="Pay from" tabs={methods} selected={method} onSelect={setMethod}>
        {method === 'chain' && (
          <div className="grid gap-3">
            <Button
              size="l"
              wide
              busy={busy === 'signing'}
              disabled={!purchase}
              onClick={() => purchase && void payOnChain(purchase)}
            >
              {busy === 'signing' ? 'Confirm in your wallet' : `Buy ${tier.name}`}
            </Button>
            <p className="text-faint text-sm">
              You pay with USDT from the wallet you signed in with. Once it is sent, you can close this page: your plan
              starts automatically.
            </p>
          </div>
        )}
        {method === 'wallet' && (
          <div className="grid gap-3">
            <Button
              size="l"
              wide
              busy={busy === 'paying'}
              disabled={!purchase}
              onClick={() => purchase && payFromWallet(purchase).then(() => setText(''))}
            >
              Buy {tier.name}
            </Button>
            <p className="text-faint text-sm">
              <Money amount={details.wallet} className="font-semibold text-ink" /> in your wallet balance. The plan
              starts immediately.
            </p>
          </div>
        )}
        {method === 'elsewhere' && (
          <Elsewhere
            support={details.support}
            ready={purchase !== undefined}
            onHash={(hash) => purchase && postHash(purchase, hash)}
          />
        )}
      </Tabs>
    </Card>
  )
}

function maxOf(tier: Tier, details: Details, method: Method): Usdt {
  const room = larger(subtract(details.max_amount, details.planamount), ZERO)
  const most = smaller(tier.to, room)
  return method === 'wallet' ? smaller(most, details.wallet) : most
}

function refusalOf(amount: Usdt | undefined, tier: Tier, details: Details, method: Method): Refusal | undefined {
  const { planamount: planAmount, max_amount: planAmountMax } = details
  const bounds = { planAmount, planAmountMax, wallet: method === 'wallet' ? details.wallet : undefined }
  return refuseTierAmount(amount, tier) ?? (amount && refusePurchase(amount, bounds))
}

type OutlookProps = { tier: Tier; amount: Usdt | undefined; details: Details }

/** The rewards expected over the term, and the warning that they are not guaranteed. */
function Outlook({ tier, amount = ZERO, details }: OutlookProps) {
  const { today, max_amount: planAmountMax } = details
  const daily = dailyReward(amount, tier.dailyRatePpm)
  const lines = [
    { label: `Per day, at ${percentText(tier.dailyRatePpm)}`, value: <Money amount={daily} /> },
    {
      label: `Over ${tier.termDays} days, if the pool lasts`,
      value: <Money amount={(daily * BigInt(tier.termDays)) as Usdt} />,
    },
    {
      label: 'You get the full amount back on',
      value: dateText(new Date(`${addDays(today, tier.termDays)}T00:00:00Z`)),
    },
  ]
  return (
    <div className="grid gap-2.5 rounded-inner bg-quiet p-4">
      <dl className="grid gap-2.5">
        {lines.map(({ label, value }) => (
          <div key={label} className="flex items-baseline justify-between gap-4">
            <dt className="text-soft text-sm">{label}</dt>
            <dd className="figures whitespace-nowrap font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="border-line border-t pt-2.5 text-faint text-sm">
        Rewards are not guaranteed. They are paid from the operator's pool. If it is empty, you are paid when it is
        funded again. Your plans can hold up to {formatUsdt(planAmountMax)} USDT in total.
      </p>
    </div>
  )
}
