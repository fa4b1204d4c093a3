import { Link } from 'react-router'
import type { Usdt } from '../../protocol/money.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Money } from '../../ui/money.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { BetDeposits, useBetDeposits } from '../shared/money/bet-deposits.tsx'
import { useBetWallet } from '../shared/money/bet-wallet.ts'
import { actionText, BetWalletFields } from '../shared/money/bet-wallet-fields.tsx'

type BetWalletProps = { wallet: Usdt; bet: Usdt; onChange: () => void }
const directions = [
  { id: 'deposit', label: 'In' },
  { id: 'withdraw', label: 'Out' },
] as const

/** Moves money into the bet wallet, from the wallet balance or from the chain, and back. */
export function BetWallet({ wallet, bet, onChange }: BetWalletProps) {
  const deposits = useBetDeposits()
  const form = useBetWallet({ wallet, bet, onMoved: onChange, onSent: deposits.add })
  return (
    <Card className="grid content-start gap-4" aria-label="Bet wallet">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-xl">Bet wallet</h2>
        <Money amount={bet} className="font-display text-xl" />
      </div>
      <BetDeposits deposits={deposits} onDone={onChange} />
      <Tabs label="Direction" tabs={directions} selected={form.direction} onSelect={form.setDirection}>
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            form.submit()
          }}
        >
          <BetWalletFields form={form} />
          <Button type="submit" variant="quiet" busy={form.busy} disabled={!form.ready}>
            {actionText(form)}
          </Button>
        </form>
      </Tabs>
      <Link to="#bet-wallet-history" className="w-fit font-semibold text-primary text-sm underline underline-offset-4">
        History
      </Link>
    </Card>
  )
}
