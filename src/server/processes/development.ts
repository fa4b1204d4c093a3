import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { parseUsdt } from '../../protocol/money.ts'
import { claimDeposit, findCursor } from '../chain/deposits/claims.ts'
import { payFromFaucet } from '../chain/faucet.ts'
import { type Context, createContext } from '../context.ts'
import type { PoolKind } from '../ledger/accounts.ts'
import { fundPool } from '../ledger/funding.ts'
import type { Config } from '../platform/config.ts'
import { transaction } from '../platform/db.ts'
import { StartError } from '../platform/start-error.ts'

const DEPOSIT = parseUsdt('1000000')
const DEPOSIT_MS_MAX = 60_000

/** Each pool's starting balance. The fixed references make a repeat a no-op. */
const pools: { pool: PoolKind; amount: string; reference: string }[] = [
  { pool: 'reward_pool', amount: '100000', reference: '00000000-0000-7000-8000-000000000001' },
  { pool: 'house', amount: '50000', reference: '00000000-0000-7000-8000-000000000002' },
  { pool: 'health_pool', amount: '10000', reference: '00000000-0000-7000-8000-000000000003' },
  { pool: 'royalty_pool', amount: '10000', reference: '00000000-0000-7000-8000-000000000004' },
]

/** Funds a development chain: a real deposit of a million test USDT by the operator, and money in every pool. */
export async function fundDevelopment(config: Config): Promise<void> {
  const { context, close } = createContext(config, 'development')
  try {
    if (!(await hasDeposit(context))) await deposit(context)
    for (const { pool, amount, reference } of pools) {
      const decision = {
        reference,
        amount: parseUsdt(amount),
        who: 'setup',
        why: 'initial funding of a development chain',
      }
      await transaction(context.db, (tx) => fundPool(tx, pool, decision))
    }
  } finally {
    await close()
  }
}

async function hasDeposit({ db }: Context): Promise<boolean> {
  const { rows } = await sql`select from ledger_postings where kind = 'operator_deposit' limit 1`.execute(db)
  return rows.length > 0
}

/** Sends the money unless an earlier start already did, and waits until the worker has booked it. */
async function deposit(context: Context): Promise<void> {
  const { db, chain } = context
  const { rows } = await sql`select from chain_claims where product = 'operator' and state = 'waiting'`.execute(db)
  if (rows.length === 0) {
    // A payment before the watcher's first pass counts as opening balance and could not be claimed by its hash.
    await until(async () => (await findCursor(db, chain)) !== undefined)
    const txHash = await payFromFaucet(chain, chain.settings.support, DEPOSIT)
    await transaction(db, (tx) =>
      claimDeposit(tx, chain, { payer: null, product: 'operator', txHash, amount: DEPOSIT }),
    )
  }
  await until(() => hasDeposit(context))
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEPOSIT_MS_MAX
  while (!(await condition())) {
    if (Date.now() > deadline)
      throw new StartError('The first deposit of test money did not arrive. See the worker’s log.')
    await sleep(200)
  }
}
