import { ArrowLeftRight, ChevronDown, ChevronUp, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Bet } from '../../protocol/colour.ts'
import type { Limits } from '../../protocol/colour-limits.ts'
import { smaller, type Usdt } from '../../protocol/money.ts'
import type { Terms } from '../../protocol/terms.ts'
import { AmountField } from '../../ui/amount-field.tsx'
import { AnimatedMoney } from '../../ui/animated-number.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { amountText } from '../../ui/format.ts'
import { useNarrow } from '../../ui/media.ts'
import { CountryField } from '../shared/declare/declaration-fields.tsx'
import { AddMoneySheet } from '../shared/money/add-money-sheet.tsx'
import { Deposits, useDeposits } from '../shared/money/deposits.tsx'
import { MoveSheet } from '../shared/money/move-sheet.tsx'
import type { Payment } from '../shared/payments/kept-payments.ts'
import { Brief, Choices, Odds, QuickAmounts } from './bet-choices.tsx'
import type { Wish } from './use-bet.ts'
import { useSlip } from './use-slip.ts'
import { type Phase, refreshGame } from './use-table.ts'

export type BetSlipProps = {
  phase: Phase
  balance: Usdt
  limits: Limits | undefined
  terms: Terms
  closedBecause: string | null
  onPlaced: (bet: Bet) => void
}
type Sheet = 'add' | 'bet' | 'move'

/**
 * The bet form. Shows the odds, the average cost and this month's result before the user confirms. On phones it is a
 * sheet at the bottom of the screen; own amounts and all details unfold.
 */
export function BetSlip(props: BetSlipProps) {
  const { balance, limits, terms, closedBecause } = props
  const isDocked = useNarrow()
  const [isUnfolded, setUnfolded] = useState(false)
  const deposits = useDeposits('bet')
  const slip = useSlip(props)
  const { declaration, bet, choice, setChoice, text, change, amount, missing, refusal, error } = slip
  const { sheet, setSheet, askForMoney } = useSheet(slip)
  const isFolded = isDocked && !isUnfolded
  const hint = missing && `${amountText(missing)} USDT is missing. You add it with the bet.`
  const confirm = () => {
    if (missing) void askForMoney()
    else if (amount && !refusal) void bet.place({ amount, color: choice })
  }
  /** Money for the bet was added: it is placed when the money is there. */
  const plan = (added: Usdt) => {
    if (sheet === 'bet' && amount && missing && added >= missing) bet.plan({ amount, color: choice })
  }
  /** On a phone its card would cover the wheel. A notice has said that the money is there. */
  const arrived = (hash: string) => {
    refreshGame()
    if (isDocked) deposits.dismiss(hash)
  }
  return (
    <Card
      padding={isDocked ? 'none' : 'l'}
      aria-label="Bet slip"
      className={`grid content-start ${isDocked ? 'slip-dock gap-1.5 px-4 pt-1.5 pb-2.5' : 'gap-5'}`}
    >
      <Held balance={balance} onOpen={setSheet}>
        {isDocked && <Unfold isUnfolded={!isFolded} onClick={() => setUnfolded(isFolded)} />}
      </Held>
      <Deposits to="bet" deposits={deposits} onDone={arrived} onFailed={bet.cancel} />
      <form
        noValidate
        className={`grid ${isDocked ? 'gap-1.5' : 'gap-5'}`}
        onSubmit={(event) => {
          event.preventDefault()
          confirm()
        }}
      >
        <Choices selected={choice} onSelect={setChoice} />
        <div hidden={isFolded}>
          <AmountField
            label="Amount"
            value={text}
            onChange={change}
            min={terms.colourBetMin}
            max={smaller(balance, terms.colourBetMax)}
            {...(hint && { hint })}
            error={error}
            disabled={bet.planned !== undefined}
          />
        </div>
        {!bet.planned && <Figures {...{ slip, isFolded, hint, terms, limits }} />}
        <CountryField declaration={declaration} />
        {closedBecause && <Closed reason={closedBecause} />}
        {bet.planned ? (
          <Planned wish={bet.planned} onCancel={bet.cancel} />
        ) : (
          <BetButton slip={slip} size={isDocked ? 'm' : 'l'} />
        )}
      </form>
      <Sheets open={sheet} missing={missing} onClose={() => setSheet(undefined)} onSent={deposits.add} onAdded={plan} />
    </Card>
  )
}

function useSheet({ declaration }: ReturnType<typeof useSlip>) {
  const [sheet, setSheet] = useState<Sheet>()
  /** Opens at once, and closes again if the answer blocks this user. */
  const askForMoney = async () => {
    setSheet('bet')
    if (await declaration.confirm()) return
    setSheet(undefined)
    refreshGame()
  }
  return { sheet, setSheet, askForMoney }
}

type SheetsProps = {
  open: Sheet | undefined
  missing: Usdt | undefined
  onClose: () => void
  onSent: (payment: Payment) => void
  onAdded: (amount: Usdt) => void
}

/** Add money, with or without the bet, and move money. */
const Sheets = ({ open, missing, onClose, onSent, onAdded }: SheetsProps) => (
  <>
    <AddMoneySheet
      to="bet"
      open={open === 'add' || open === 'bet'}
      {...(open === 'bet' && missing && { missing, followUp: 'and bet' })}
      onClose={onClose}
      onSent={(payment) => {
        onSent(payment)
        onAdded(payment.usdt_amount)
      }}
      onMoved={(amount) => {
        onAdded(amount)
        refreshGame()
      }}
    />
    <MoveSheet open={open === 'move'} onClose={onClose} onMoved={refreshGame} />
  </>
)

type FiguresProps = Pick<BetSlipProps, 'terms' | 'limits'> & {
  slip: ReturnType<typeof useSlip>
  isFolded: boolean
  hint: string | undefined
}

/** Amounts to tap, and what the bet can win and costs on average. */
function Figures({ slip: { choice, text, change, amount, error }, isFolded, hint, terms, limits }: FiguresProps) {
  const shown = error ? undefined : amount
  return (
    <>
      <QuickAmounts amounts={terms.colourQuickStakes} chosen={text} onSelect={change} />
      {isFolded ? (
        <Brief colour={choice} amount={shown} hint={hint} error={error} />
      ) : (
        <Odds colour={choice} amount={shown} netMonth={limits?.net_month} />
      )}
    </>
  )
}

type BetButtonProps = { slip: ReturnType<typeof useSlip>; size: 'm' | 'l' }

/** Before the first bet it also confirms the user's age. */
const BetButton = ({ slip, size }: BetButtonProps) => {
  const { declaration, bet, choice, amount, missing, refusal, isOpen } = slip
  const isReady = isOpen && declaration.isReady && (!refusal || missing)
  return (
    <Button type="submit" size={size} wide busy={bet.isBusy} disabled={!isReady}>
      {isOpen
        ? `${declaration.prefix}Bet ${amount ? `${amountText(amount)} USDT ` : ''}on ${choice}`
        : 'Betting is closed'}
    </Button>
  )
}

const Closed = ({ reason }: { reason: string }) => (
  <p role="alert" className="rounded-inner bg-gold-tint px-4 py-3 text-gold-ink text-sm">
    {reason}
  </p>
)

type HeldProps = { balance: Usdt; onOpen: (sheet: Sheet) => void; children: ReactNode }

/** A win counts the balance up. */
const Held = ({ balance, onOpen, children }: HeldProps) => (
  <div className="flex items-center gap-1 sm:gap-3">
    <div className="mr-auto grid leading-tight">
      <span className="text-soft text-sm">Bet wallet</span>
      <AnimatedMoney amount={balance} className="font-display text-xl sm:text-2xl" />
    </div>
    <Button variant="quiet" size="s" icon={<Plus size={16} aria-hidden="true" />} onClick={() => onOpen('add')}>
      Add
    </Button>
    <Button
      variant="quiet"
      size="s"
      icon={<ArrowLeftRight size={16} aria-hidden="true" />}
      onClick={() => onOpen('move')}
    >
      Move money
    </Button>
    {children}
  </div>
)

/** In place of the bet button while the money for the bet is on its way. */
const Planned = ({ wish: { amount, color }, onCancel }: { wish: Wish; onCancel: () => void }) => (
  <div className="grid gap-3">
    <Button size="l" wide busy className="disabled:opacity-100">
      Waiting for your money
    </Button>
    <p role="status" className="text-soft text-sm">
      Then {amountText(amount)} USDT goes on {color}, in the first open round. Keep this page open.
    </p>
    <Button variant="quiet" onClick={onCancel}>
      Cancel the bet
    </Button>
  </div>
)

const Unfold = ({ isUnfolded, onClick }: { isUnfolded: boolean; onClick: () => void }) => (
  <IconButton
    label={isUnfolded ? 'Show less of the slip' : 'Own amount and odds'}
    aria-expanded={isUnfolded}
    onClick={onClick}
    className="-mr-2"
  >
    {isUnfolded ? <ChevronDown size={20} aria-hidden="true" /> : <ChevronUp size={20} aria-hidden="true" />}
  </IconButton>
)
