import { micro, type Usdt } from '../../protocol/money.ts'
import { type AccountId, systemAccount } from '../ledger/accounts.ts'
import type { Answer, Json, Posting } from '../ledger/posting.ts'

/** A model of the ledger in thirty lines. The real one must match it after any sequence of postings. */
export function createLedgerModel(opening: Iterable<[AccountId, Usdt]>) {
  const balances = new Map<AccountId, Usdt>(opening)
  const known = new Map<string, { content: string; reply: Json }>()
  const balanceOf = (account: AccountId): Usdt => balances.get(account) ?? micro(0n)

  function post({ kind, reference, movements, body, reply = null }: Posting): Answer {
    const content = JSON.stringify([movements.map(({ from, to, amount }) => [`${from}`, `${to}`, `${amount}`]), body])
    const earlier = known.get(`${kind} ${reference}`)
    if (earlier?.content === content) return { outcome: 'repeated', answer: earlier.reply }
    if (earlier) return { outcome: 'mismatch', answer: null }
    const after = new Map<AccountId, Usdt>()
    for (const { from, to, amount } of movements) {
      after.set(from, micro((after.get(from) ?? balanceOf(from)) - amount))
      after.set(to, micro((after.get(to) ?? balanceOf(to)) + amount))
    }
    const isShort = ([account, balance]: [AccountId, Usdt]) => balance < 0n && account !== systemAccount('custody')
    if ([...after].some(isShort)) return { outcome: 'insufficient', answer: null }
    for (const [account, balance] of after) balances.set(account, balance)
    known.set(`${kind} ${reference}`, { content, reply })
    return { outcome: 'posted', answer: reply }
  }

  return { post, balanceOf, balances }
}

export type LedgerModel = ReturnType<typeof createLedgerModel>
