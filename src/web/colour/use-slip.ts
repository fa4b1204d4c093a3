import { useCallback, useState } from 'react'
import type { Bet } from '../../protocol/colour.ts'
import { type PlayToday, refuseBet } from '../../protocol/colour-bets.ts'
import type { Limits } from '../../protocol/colour-limits.ts'
import type { Colour } from '../../protocol/colour-odds.ts'
import { formatUsdt, subtract } from '../../protocol/money.ts'
import { useDeclaration } from '../shared/declare/use-declaration.ts'
import { readAmount } from '../shared/money/amounts.ts'
import type { BetSlipProps } from './bet-slip.tsx'
import { useBet } from './use-bet.ts'

/** The chosen colour and amount, whether they can be bet or what is missing, and the bet itself. */
export function useSlip({ phase, balance, limits, terms, closedBecause, onPlaced }: BetSlipProps) {
  const [choice, setChoice] = useState<Colour>('green')
  const [text, setText] = useState(() => formatUsdt(terms.colourQuickStakes[0] ?? terms.colourBetMin))
  const isOpen = phase === 'betting' && closedBecause === null
  const place = useCallback(
    (bet: Bet) => {
      // An empty field after each bet: the second tap of a double tap bets nothing.
      setText('')
      onPlaced(bet)
    },
    [onPlaced],
  )
  const declaration = useDeclaration()
  const bet = useBet({ isOpen, balance, onPlaced: place, declare: declaration.confirm })
  const amount = readAmount(text)
  const bounds = { stakeMin: terms.colourBetMin, stakeMax: terms.colourBetMax, balance, play: limits && playOf(limits) }
  const refusal = refuseBet(amount, bounds)
  const missing = amount && refusal?.code === 'insufficient_balance' ? subtract(amount, balance) : undefined
  const complaint = text === '' || missing ? undefined : refusal?.message
  const change = (value: string) => {
    bet.reset()
    setText(value)
  }
  return {
    ...{ declaration, bet, choice, setChoice, text, change, amount, missing, refusal, isOpen },
    error: complaint ?? bet.error?.message,
  }
}

/** Limits on the wire include pending changes. A bet is checked against the limits in force now. */
const playOf = (limits: Limits): PlayToday => ({ ...limits, loss: limits.loss.amount, stake: limits.stake.amount })
