import { figureText } from '../../protocol/figures.ts'
import '../shared/api/no-eval.ts'
import { useEffect, useState } from 'react'
import { colour } from '../../protocol/colour.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { trust } from '../../protocol/trust.ts'
import { Money } from '../../ui/money.tsx'
import { call } from '../shared/api/api.ts'
import { TrustFrame } from './trust-frame.tsx'

type Books = OutputOf<typeof trust.summary>['data']

/** Live reserves, liabilities and number of draws. */
export function TrustFigures() {
  const [books, setBooks] = useState<Books>()
  const [rounds, setRounds] = useState<number>()
  useEffect(() => {
    let wanted = true
    call(trust.summary, {}).then(
      ({ data }) => wanted && setBooks(data),
      () => undefined,
    )
    call(colour.fairness, {}).then(
      ({ data }) => wanted && setRounds(data.rounds),
      () => undefined,
    )
    return () => {
      wanted = false
    }
  }, [])
  return <TrustFrame {...(books && figuresOf(books))} {...(rounds !== undefined && { rounds: figureText(rounds) })} />
}

function figuresOf({ reserves, liabilities }: Books) {
  const owed = { liabilities: <Money amount={liabilities} /> }
  if (reserves === null) return { ...owed, title: 'The chain could not be read just now', reserves: 'unknown' }
  const held = { ...owed, reserves: <Money amount={reserves} /> }
  if (reserves >= liabilities) return { ...held, covered: 1, title: 'Everything we owe is held on chain' }
  return { ...held, covered: Number((reserves * 1_000n) / liabilities) / 1_000, title: 'We hold less than we owe' }
}
