import { add, parseUsdt, type Usdt } from '../../protocol/money.ts'
import { poolKinds, systemAccount, type UserAccountKind, userAccount } from '../ledger/accounts.ts'
import { creditOperator, fundPool } from '../ledger/funding.ts'
import { openUserAccounts, post } from '../ledger/post.ts'
import { createLedger } from '../ledger/submit.ts'
import { createDb, createPool, newId, type Tx, transaction } from '../platform/db.ts'
import { createOwnerPool, createTestDatabase } from './database.ts'

/** A ledger in its own database. `owner` has rights that the application lacks. */
export async function createTestLedger(connectionsMax = 16) {
  const database = await createTestDatabase()
  const pool = createPool(database.appUrl, connectionsMax)
  const db = createDb(pool)
  const owner = createOwnerPool(database.ownerUrl)

  /** Opens users 1 to `count`, each with `amount` in one of the accounts that a deposit can fill. */
  async function openUsers(count: number, kind: keyof typeof fillings = 'wallet', amount?: Usdt): Promise<void> {
    await transaction(db, async (tx) => {
      for (let number = 1; number <= count; number++) {
        await openUserAccounts(tx, number)
        if (amount) await fillAccount(tx, number, kind, amount)
      }
    })
  }

  /** Funds each pool from a deposit by the operator. */
  async function fundPools(amount = parseUsdt('1000')): Promise<void> {
    await transaction(db, async (tx) => {
      await creditOperator(tx, { reference: newId(), amount: add(...poolKinds.map(() => amount)) })
      for (const pool of poolKinds) await fundPool(tx, pool, { reference: newId(), amount })
    })
  }

  async function close(): Promise<void> {
    await owner.end()
    await db.destroy()
    await database.drop()
  }

  return { db, pool, owner, ledger: createLedger(pool), openUsers, fundPools, close }
}

const fillings = { wallet: 'chain_deposit', plan: 'plan_purchase', bet: 'bet_deposit' } as const

/** Credits an account as if a deposit had been proven on chain. */
export async function fillAccount(tx: Tx, userNumber: number, kind: keyof typeof fillings, amount: Usdt) {
  const to = userAccount(userNumber, kind satisfies UserAccountKind)
  const movements = [{ from: systemAccount('custody'), to, amount }]
  await post(tx, { kind: fillings[kind], reference: newId(), movements })
}
