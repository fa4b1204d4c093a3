import type pg from 'pg'
import type { Outcome } from './client.ts'
import type { OperationKind } from './schedule.ts'

/**
 * Records the replies that clients got, outside the product. Every operation has a unique amount, so its effects can be
 * counted in the ledger without trusting anything else in the product.
 */
export type Intent = {
  kind: OperationKind
  userNumber: number
  amount: bigint
  outcome: Outcome
  /** Only for deposits. */
  txHash?: string
}

/** How an operation appears in the ledger: the user's account, the kind of posting, and the sign. */
const effects: Record<OperationKind, { account: number; posting: string; sign: 1n | -1n }> = {
  transfer: { account: 3, posting: 'transfer', sign: -1n },
  withdraw: { account: 3, posting: 'withdrawal', sign: -1n },
  'bet-in': { account: 3, posting: 'bet_deposit', sign: -1n },
  'bet-out': { account: 4, posting: 'bet_withdrawal', sign: -1n },
  bet: { account: 4, posting: 'bet', sign: -1n },
  plan: { account: 3, posting: 'plan_purchase', sign: -1n },
  deposit: { account: 3, posting: 'chain_deposit', sign: 1n },
}

/** Base amounts allowed for each kind. Adding the operation's number makes every amount unique. */
const bases: Record<OperationKind, bigint> = {
  transfer: 1_000_000n,
  withdraw: 10_000_000n,
  'bet-in': 3_000_000n,
  'bet-out': 500_000n,
  bet: 1_000_000n,
  plan: 10_000_000n,
  deposit: 40_000_000n,
}

export type Verdict = { acked: number; lost: string[]; doubled: string[]; created: string[] }

export function createModel() {
  const intents: Intent[] = []
  let operations = 0n

  return {
    intents,
    nextAmount: (kind: OperationKind): bigint => bases[kind] + ++operations,
    note: (intent: Intent): void => void intents.push(intent),

    /** Compares the recorded replies with the ledger. `finalDeposits` are the deposit transactions still on chain. */
    async compare(owner: pg.Pool, finalDeposits: ReadonlySet<string>): Promise<Verdict> {
      const counts = await countEffects(owner)
      const verdict: Verdict = { acked: 0, lost: [], doubled: [], created: [] }
      for (const intent of intents) {
        const { account, posting, sign } = effects[intent.kind]
        const found = counts.get(`${intent.userNumber * 16 + account} ${posting} ${intent.amount * sign}`) ?? 0
        const outcome = intent.txHash ? (finalDeposits.has(intent.txHash) ? 'done' : 'refused') : intent.outcome
        const name = `${intent.kind} of ${intent.amount} by user ${intent.userNumber} (${outcome}): ${found} times`
        if (outcome === 'done') verdict.acked++
        if (outcome === 'done' && found === 0) verdict.lost.push(name)
        if (outcome === 'refused' && found > 0) verdict.created.push(name)
        if (found > 1) verdict.doubled.push(name)
      }
      return verdict
    },
  }
}

async function countEffects(owner: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await owner.query<{ effect: string; count: number }>(`
    select account_id || ' ' || kind || ' ' || amount as effect, count(*)::int as count
    from ledger_entries where account_id < ledger_custody() group by 1`)
  return new Map(rows.map(({ effect, count }) => [effect, count]))
}
