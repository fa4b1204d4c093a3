import type pg from 'pg'
import type { Outcome } from './client.ts'
import type { OperationKind } from './schedule.ts'

/**
 * What the clients were told, kept outside the product. Every operation has an amount that no other one has, so its
 * effect can be counted in the ledger without believing anything the product says about itself.
 */
export type Intent = {
  kind: OperationKind
  userNumber: number
  amount: bigint
  outcome: Outcome
  /** Of a deposit: its transaction. */
  txHash?: string
}

/** Where an operation shows in the ledger: the account of its user, the kind of posting, and the sign. */
const effects: Record<OperationKind, { account: number; posting: string; sign: 1n | -1n }> = {
  transfer: { account: 3, posting: 'transfer', sign: -1n },
  withdraw: { account: 3, posting: 'withdrawal', sign: -1n },
  'bet-in': { account: 3, posting: 'bet_deposit', sign: -1n },
  'bet-out': { account: 4, posting: 'bet_withdrawal', sign: -1n },
  bet: { account: 4, posting: 'bet', sign: -1n },
  plan: { account: 3, posting: 'plan_purchase', sign: -1n },
  deposit: { account: 3, posting: 'chain_deposit', sign: 1n },
}

/** An amount of its own for each operation: a base that the kind allows, and the number of the operation behind it. */
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

    /** Compares what was told with what is in the books. `finalDeposits` are the transactions that the chain kept. */
    async compare(owner: pg.Pool, finalDeposits: ReadonlySet<string>): Promise<Verdict> {
      const counts = await countEffects(owner)
      const verdict: Verdict = { acked: 0, lost: [], doubled: [], created: [] }
      for (const intent of intents) {
        const { account, posting, sign } = effects[intent.kind]
        const found = counts.get(`${intent.userNumber * 16 + account} ${posting} ${intent.amount * sign}`) ?? 0
        const told = intent.txHash ? (finalDeposits.has(intent.txHash) ? 'done' : 'refused') : intent.outcome
        const name = `${intent.kind} of ${intent.amount} by user ${intent.userNumber} (${told}): ${found} times`
        if (told === 'done') verdict.acked++
        if (told === 'done' && found === 0) verdict.lost.push(name)
        if (told === 'refused' && found > 0) verdict.created.push(name)
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
