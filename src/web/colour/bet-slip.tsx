import { Wallet } from 'lucide-react'
import { useState } from 'react'
import { colour as routes } from '../../protocol/colour.ts'
import { type PlayToday, refuseBet } from '../../protocol/colour-bets.ts'
import { expectedCost, payoutOf } from '../../protocol/colour-draw.ts'
import type { Limits } from '../../protocol/colour-limits.ts'
import { type Colour, chancePercent, colours, colourTable, DRAW_SIZE } from '../../protocol/colour-odds.ts'
import { formatUsdt, smaller, type Usdt } from '../../protocol/money.ts'
import type { Terms } from '../../protocol/terms.ts'
import { AmountField } from '../../ui/amount-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { moneyText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { notify } from '../../ui/toast.tsx'
import { call, useCall } from '../shared/api/api.ts'
import { readAmount } from '../shared/money/amounts.ts'
import { BetDeposits, useBetDeposits } from '../shared/money/bet-deposits.tsx'
import { Summary } from '../shared/money/summary.tsx'
import { ColourMark, colourLook } from './colour-mark.tsx'
import { TopUpDialog } from './top-up-dialog.tsx'
import { type Phase, refreshGame } from './use-table.ts'

type BetSlipProps = {
  phase: Phase
  balance: Usdt
  wallet: Usdt
  limits: Limits | undefined
  terms: Terms
  closedBecause: string | null
}

/** The bet form. Shows the odds, the average cost and this month's result before the user confirms. */
export function BetSlip({ phase, balance, wallet, limits, terms, closedBecause }: BetSlipProps) {
  const [choice, setChoice] = useState<Colour>('green')
  const [text, setText] = useState('')
  const [isToppingUp, setToppingUp] = useState(false)
  const deposits = useBetDeposits()
  const bet = useCall(routes.placeBet)
  const amount = readAmount(text)
  const bounds = { stakeMin: terms.colourBetMin, stakeMax: terms.colourBetMax, balance, play: limits && playOf(limits) }
  const refusal = refuseBet(amount, bounds)
  const complaint = text === '' ? undefined : refusal?.message
  const isOpen = phase === 'betting' && closedBecause === null
  const confirm = () => {
    if (!amount || refusal) return
    bet.mutate({ amount, color: choice }, { onSuccess: () => done(amount, choice), onError: refreshGame })
  }
  return (
    <Card padding="l" aria-label="Bet slip" className="grid content-start gap-5">
      <Held balance={balance} onMove={() => setToppingUp(true)} />
      <BetDeposits deposits={deposits} onDone={refreshGame} />
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          confirm()
        }}
      >
        <Choices selected={choice} onSelect={setChoice} />
        <AmountField
          label="Amount"
          value={text}
          onChange={(value) => {
            bet.reset()
            setText(value)
          }}
          min={terms.colourBetMin}
          max={smaller(balance, terms.colourBetMax)}
          {...(balance === 0n && { hint: 'Your bet wallet is empty. Move money in first.' })}
          error={complaint ?? bet.error?.message}
        />
        <QuickAmounts amounts={terms.colourQuickStakes} onSelect={setText} />
        <Odds colour={choice} amount={refusal ? undefined : amount} netMonth={limits?.net_month} />
        {closedBecause && (
          <p role="alert" className="rounded-inner bg-gold-tint p-4 text-gold-ink text-sm">
            {closedBecause}
          </p>
        )}
        <Button type="submit" size="l" wide busy={bet.isPending} disabled={!isOpen || refusal !== undefined}>
          {isOpen ? betWords(amount, choice) : 'Betting is closed'}
        </Button>
      </form>
      <TopUpDialog
        open={isToppingUp}
        onClose={() => setToppingUp(false)}
        wallet={wallet}
        bet={balance}
        onSent={deposits.add}
      />
    </Card>
  )
}

const Held = ({ balance, onMove }: { balance: Usdt; onMove: () => void }) => (
  <div className="flex items-center justify-between gap-3">
    <div className="grid">
      <span className="text-soft text-sm">Bet wallet</span>
      <Money amount={balance} className="font-display text-2xl" />
    </div>
    <Button variant="quiet" size="s" icon={<Wallet size={16} aria-hidden="true" />} onClick={onMove}>
      Move money
    </Button>
  </div>
)

const betWords = (amount: Usdt | undefined, choice: Colour) =>
  amount ? `Bet ${formatUsdt(amount)} USDT on ${choice}` : `Bet on ${choice}`

function done(amount: Usdt, choice: Colour): void {
  notify.success(`${formatUsdt(amount)} USDT on ${choice}`)
  refreshGame()
  // If this call is lost, a server job pays the upline.
  call(routes.upline, { amount }).catch(() => {})
}

/** Limits on the wire include pending changes. A bet is checked against the limits in force now. */
const playOf = (limits: Limits): PlayToday => ({ ...limits, loss: limits.loss.amount, stake: limits.stake.amount })

function Choices({ selected, onSelect }: { selected: Colour; onSelect: (colour: Colour) => void }) {
  return (
    <fieldset className="grid grid-cols-3 gap-2 sm:gap-2.5">
      <legend className="mb-2 font-semibold text-[15px]">Colour</legend>
      {colours.map((colour) => (
        <label key={colour} className="colour-choice" data-colour={colour}>
          <input
            type="radio"
            name="colour"
            className="sr-only"
            checked={colour === selected}
            onChange={() => onSelect(colour)}
          />
          <ColourMark colour={colour} size={36} />
          <span className="grid leading-tight">
            <span className="font-semibold">{colourLook[colour].name}</span>
            <span className="figures text-soft text-sm">pays {String(colourTable[colour].pays)}×</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function QuickAmounts({ amounts, onSelect }: { amounts: readonly Usdt[]; onSelect: (text: string) => void }) {
  return (
    <div className="-mt-1 grid grid-cols-4 gap-2">
      {amounts.map((amount) => (
        <Button
          key={amount.toString()}
          variant="quiet"
          size="s"
          aria-label={`Set the amount to ${formatUsdt(amount)} USDT`}
          onClick={() => onSelect(formatUsdt(amount))}
        >
          {formatUsdt(amount)}
        </Button>
      ))}
    </div>
  )
}

type OddsProps = { colour: Colour; amount: Usdt | undefined; netMonth: Usdt | undefined }

function Odds({ colour, amount, netMonth }: OddsProps) {
  const exact = (value: Usdt | undefined) => (value === undefined ? '–' : `${formatUsdt(value)} USDT`)
  return (
    <div aria-live="polite">
      <Summary
        lines={[
          { name: 'Chance', value: `${chancePercent(colour)} in ${DRAW_SIZE}` },
          { name: 'If it wins, you receive', value: exact(amount && payoutOf(amount, colour, colour)) },
          { name: 'Average cost', value: exact(amount && expectedCost(amount)) },
          {
            name: 'Your result this month',
            value: netMonth === undefined ? '–' : `${netMonth > 0n ? '+' : ''}${moneyText(netMonth)} USDT`,
          },
        ]}
      />
    </div>
  )
}
