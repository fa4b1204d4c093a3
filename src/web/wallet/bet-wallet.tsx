import type { Usdt } from '../../protocol/money.ts'
import { AmountField } from '../../ui/amount-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Money } from '../../ui/money.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useBetWallet } from '../shared/money/bet-wallet.ts'

type BetWalletProps = { wallet: Usdt; bet: Usdt; onChange: () => void }
const directions = [
  { id: 'deposit', label: 'In' },
  { id: 'withdraw', label: 'Out' },
] as const

/** Moves money between the wallet balance and the bet wallet. */
export function BetWallet({ wallet, bet, onChange }: BetWalletProps) {
  const move = useBetWallet({ wallet, bet, onMoved: onChange })
  return (
    <Card className="grid content-start gap-4" aria-label="Bet wallet">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-xl">Bet wallet</h2>
        <Money amount={bet} className="font-display text-xl" />
      </div>
      <Tabs label="Direction" tabs={directions} selected={move.direction} onSelect={move.setDirection}>
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            move.submit()
          }}
        >
          <AmountField
            label={move.direction === 'deposit' ? 'Into the bet wallet' : 'Back to the wallet balance'}
            value={move.text}
            onChange={move.change}
            max={move.held}
            error={move.error}
          />
          <Button type="submit" variant="quiet" busy={move.busy} disabled={!move.ready}>
            Move
          </Button>
        </form>
      </Tabs>
    </Card>
  )
}
