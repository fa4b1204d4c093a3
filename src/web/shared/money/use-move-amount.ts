import { useState } from 'react'
import { refuseBetWalletMove } from '../../../protocol/colour-bets.ts'
import type { Usdt } from '../../../protocol/money.ts'
import { readAmount } from './amounts.ts'

/** The amount of a move between two of the user's own accounts. `amount` is undefined while the rule refuses it. */
export function useMoveAmount(held: Usdt | undefined, first = '') {
  const [text, setText] = useState(first)
  /** The words of the server's refusal. They disappear when the amount changes. */
  const [answer, setAnswer] = useState<string>()
  const typed = readAmount(text)
  const refusal = refuseBetWalletMove(typed, held)
  const change = (next: string) => {
    setAnswer(undefined)
    setText(next)
  }
  const error = (text === '' ? undefined : refusal?.message) ?? answer
  return { text, change, amount: refusal ? undefined : typed, error, setAnswer }
}
