import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { formatUsdt, parseUsdt } from '../../protocol/money.ts'
import type { OperatorAct } from '../../protocol/operators.ts'
import { findCursor } from '../chain/deposits/claims.ts'
import { payFromFaucet } from '../chain/faucet.ts'
import { addressOfKey } from '../chain/operator-keys.ts'
import { type Context, createContext } from '../context.ts'
import type { PoolKind } from '../ledger/accounts.ts'
import { newAct, performAct } from '../operators/acts.ts'
import type { ActCommand } from '../operators/command.ts'
import { createKeyFile, loadKey } from '../operators/keys.ts'
import { fund } from '../operators/money-commands.ts'
import { enroll } from '../operators/operator-commands.ts'
import { claim } from '../operators/payment-commands.ts'
import type { Config } from '../platform/config.ts'
import { StartError } from '../platform/start-error.ts'

const DEPOSIT = parseUsdt('1000000')
const DEPOSIT_MS_MAX = 180_000

const WHY = 'initial funding of a development chain'

/** Each pool's starting balance. The id of its act is fixed, so a pool that has it is not funded again. */
const pools: { pool: PoolKind; amount: string; id: string }[] = [
  { pool: 'reward_pool', amount: '100000', id: '00000000-0000-7000-8000-000000000001' },
  { pool: 'house', amount: '50000', id: '00000000-0000-7000-8000-000000000002' },
  { pool: 'health_pool', amount: '10000', id: '00000000-0000-7000-8000-000000000003' },
  { pool: 'royalty_pool', amount: '10000', id: '00000000-0000-7000-8000-000000000004' },
]

/**
 * Prepares a development chain: two operators with key files in `keyFolder`, a real deposit of a million test USDT by
 * the operator, and money in every pool.
 */
export async function fundDevelopment(config: Config, keyFolder: string): Promise<void> {
  const { context, close } = createContext(config, 'development')
  try {
    if (await isComplete(context)) return
    const keyFiles = await enrollOperators(context, keyFolder)
    const act = (command: ActCommand, signed: OperatorAct) =>
      performAct(context, command, signed, keyFiles.map(loadKey))
    if (!(await hasDeposit(context))) await deposit(context, act)
    for (const { pool, amount, id } of pools)
      if (!(await isFunded(context, id))) await act(fund, { ...newAct('fund', WHY, { pool, amount }), id })
  } finally {
    await close()
  }
}

async function isComplete(context: Context): Promise<boolean> {
  const funded = await Promise.all(pools.map(({ id }) => isFunded(context, id)))
  return !funded.includes(false)
}

/** Makes the keys of two operators and enrolls them, or the one that a killed start did not reach. Returns their files. */
export async function enrollOperators(context: Context, keyFolder: string): Promise<string[]> {
  const files = ['anna', 'ben'].map((name) => ({ name, path: join(keyFolder, `${name}.key`) }))
  mkdirSync(keyFolder, { recursive: true, mode: 0o700 })
  const enrolled = await context.db.selectFrom('operators').select('name').execute()
  for (const { name, path } of files) {
    if (enrolled.some((operator) => operator.name === name)) continue
    if (!existsSync(path)) createKeyFile(path)
    const act = newAct('operators enroll', WHY, { name, address: addressOfKey(loadKey(path)) })
    await performAct(context, enroll, act, [loadKey(files[0]?.path ?? '')])
  }
  return files.map(({ path }) => path)
}

async function isFunded({ db }: Context, id: string): Promise<boolean> {
  const { rows } = await sql`select from ledger_postings where kind = 'pool_funding' and reference = ${id}`.execute(db)
  return rows.length > 0
}

async function hasDeposit({ db }: Context): Promise<boolean> {
  const { rows } = await sql`select from ledger_postings where kind = 'operator_deposit' limit 1`.execute(db)
  return rows.length > 0
}

type Act = (command: ActCommand, signed: OperatorAct) => Promise<void>

/** Sends the money unless an earlier start already did, and waits until the worker has booked it. */
async function deposit(context: Context, act: Act): Promise<void> {
  const { db, chain } = context
  const { rows } = await sql`select from chain_claims where product = 'operator' and state = 'waiting'`.execute(db)
  if (rows.length === 0) {
    // A payment before the watcher's first pass counts as opening balance and could not be claimed by its hash.
    await until(async () => (await findCursor(db, chain)) !== undefined)
    const txHash = await payFromFaucet(chain, chain.settings.vault, DEPOSIT)
    await act(claim, newAct('deposits claim', WHY, { hash: txHash, amount: formatUsdt(DEPOSIT) }))
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
