import { AmountField } from '../../../ui/amount-field.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { type BetWalletForm, depositSources } from './bet-wallet.ts'

/** The fields of the form that moves money into the bet wallet and back. */
export function BetWalletFields({ form }: { form: BetWalletForm }) {
  const { direction, isOnChain } = form
  return (
    <div className="grid gap-4">
      {direction === 'deposit' && (
        <Segmented label="From" options={depositSources} value={form.source} onChange={form.setSource} />
      )}
      <AmountField
        label={labelOf(form)}
        value={form.text}
        onChange={form.change}
        {...(form.held !== undefined && { max: form.held })}
        {...(isOnChain && { hint: 'You sign it in your wallet. It is in your bet wallet once it is final on chain.' })}
        error={form.error}
        disabled={form.busy}
      />
    </div>
  )
}

function labelOf({ direction, isOnChain }: BetWalletForm): string {
  if (direction === 'withdraw') return 'From your bet wallet'
  return isOnChain ? 'From your wallet on chain' : 'From your wallet balance'
}

export function actionText({ isOnChain, isSigning }: BetWalletForm): string {
  if (!isOnChain) return 'Move'
  return isSigning ? 'Confirm in your wallet' : 'Deposit from chain'
}
