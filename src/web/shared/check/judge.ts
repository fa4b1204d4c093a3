import { figureText } from '../../../protocol/figures.ts'
import { add, type Usdt } from '../../../protocol/money.ts'
import type { OutputOf } from '../../../protocol/route.ts'
import type { trust } from '../../../protocol/trust.ts'
import { moneyText } from '../../../ui/format.ts'
import type { Finding } from './report.ts'

type Summary = OutputOf<typeof trust.summary>['data']

/** What the browser read from the chain. Undefined if it could not be read. */
export type OnChain = {
  block: number
  /** USDT of the vault. */
  held: Usdt | undefined
  /** The root in the vault under the epoch of the latest snapshot, and the total of all balances in it. */
  root: { hash: string; total: bigint } | undefined
}

type Books = Pick<Summary, 'reserves' | 'liabilities' | 'owed' | 'snapshot'>

/** Compares what the vault holds on chain with what we owe. */
export function judgeBooks({ reserves, liabilities, owed, snapshot }: Books, chain: OnChain | undefined): Finding {
  const wrong = (note: string): Finding => ({
    verdict: 'wrong',
    title: 'The books do not match',
    notes: [note],
    gaps: [],
  })
  const owedText = `We owe ${moneyText(liabilities)} USDT, by our own books.`
  if (add(...owed.map(({ amount }) => amount)) !== liabilities)
    return wrong('The parts of what we owe do not add up to the total.')
  if (reserves !== null && reserves < liabilities) return wrong('By our own figures, we hold less than we owe.')
  if (chain?.held === undefined)
    return { verdict: 'open', title: 'The books could not be compared', notes: [owedText], gaps: [UNREAD] }
  if (chain.root && snapshot && (chain.root.hash !== snapshot.root || chain.root.total !== snapshot.total))
    return wrong(`The vault has another root for epoch ${snapshot.epoch} than the one we show.`)
  const notes = [`The vault holds ${moneyText(chain.held)} USDT in block ${figureText(chain.block)}.`, owedText]
  const gaps: string[] = []
  if (chain.root && snapshot) notes.push(rootText(snapshot))
  else gaps.push(snapshot ? 'The root of all balances could not be read.' : 'No root of all balances is published yet.')
  if (chain.held >= liabilities)
    return { verdict: gaps.length > 0 ? 'open' : 'right', title: 'We hold what we owe', notes, gaps }
  gaps.push('The vault alone holds less. We say the rest is in our other wallets, which this check did not read.')
  return { verdict: 'open', title: 'The books could not be compared', notes, gaps }
}

const UNREAD = 'The chain could not be read.'
const rootText = ({ epoch, total }: NonNullable<Summary['snapshot']>) =>
  `The root in the vault (epoch ${epoch}) is the one we show: balances of ${moneyText(total)} USDT.`
