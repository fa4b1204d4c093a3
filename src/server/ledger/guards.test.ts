import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseUsdt } from '../../protocol/money.ts'
import { newId } from '../platform/db.ts'
import { createTestLedger } from '../testing/ledger.ts'
import {
  type AccountId,
  poolKinds,
  systemAccount,
  systemAccountKinds,
  userAccount,
  userAccountKinds,
} from './accounts.ts'
import { getUserBalances } from './balances.ts'
import { isAllowed, postingKinds, rules } from './rules.ts'

let books: Awaited<ReturnType<typeof createTestLedger>>
beforeAll(async () => {
  books = await createTestLedger()
  await books.openUsers(2, 'plan', parseUsdt('100'))
  await books.fundPools()
})
afterAll(() => books.close())

/** The ledger's tables, each with a column that an attacker might want to change. */
const history = { ledger_entries: 'amount', ledger_postings: 'entries', audit_log: 'why' }
const tables = { ...history, ledger_account_kinds: 'name', ledger_accounts: 'balance' }

const asApplication = (statement: string) => sql.raw(statement).execute(books.db)
const asOwner = (statement: string) => books.owner.query(statement)

describe("the application's role", () => {
  test.each(Object.entries(tables))('can write %s only through the ledger functions', async (table, column) => {
    const denied = /permission denied|must be owner/
    await expect(asApplication(`update ${table} set ${column} = ${column}`)).rejects.toThrow(denied)
    await expect(asApplication(`delete from ${table}`)).rejects.toThrow(denied)
    await expect(asApplication(`truncate ${table}`)).rejects.toThrow(denied)
    await expect(asApplication(`insert into ${table} select * from ${table}`)).rejects.toThrow(denied)
    await expect(asApplication(`alter table ${table} disable trigger all`)).rejects.toThrow(denied)
    await expect(asApplication(`alter table ${table} add column more int`)).rejects.toThrow(denied)
    await expect(asApplication(`drop table ${table}`)).rejects.toThrow(denied)
  })

  test('cannot replace a function or disable triggers', async () => {
    const denied = /permission denied|must be owner/
    await expect(asApplication('alter function ledger_post owner to wellplay_test')).rejects.toThrow(denied)
    await expect(asApplication('set session_replication_role = replica')).rejects.toThrow(denied)
    await expect(
      asApplication('create function ledger_custody(int) returns int language sql return 1'),
    ).rejects.toThrow(denied)
  })

  test('cannot shadow the accounts with a temporary table', async () => {
    await books.db.connection().execute(async (connection) => {
      await sql`create temp table ledger_accounts (id bigint, balance bigint, version bigint)`.execute(connection)
      await sql`insert into pg_temp.ledger_accounts values (${userAccount(1, 'wallet')}, 1000, 0)`.execute(connection)
      const { rows } = await sql<{
        outcome: string
      }>`select outcome from ledger_post_one('transfer', ${newId()}, null, null,
        ${userAccount(1, 'wallet')}, ${userAccount(2, 'wallet')}, 1000)`.execute(connection)
      expect(rows[0]?.outcome).toBe('insufficient')
      await sql`drop table pg_temp.ledger_accounts`.execute(connection)
    })
  })
})

describe('the database', () => {
  test.each(['ledger_entries', 'ledger_postings', 'audit_log'])(
    'does not let even its owner change %s',
    async (table) => {
      const column = { ledger_entries: 'amount', ledger_postings: 'entries', audit_log: 'why' }[table]
      await expect(asOwner(`update ${table} set ${column} = ${column}`)).rejects.toThrow('append-only')
      await expect(asOwner(`delete from ${table}`)).rejects.toThrow('append-only')
      await expect(asOwner(`truncate ${table}`)).rejects.toThrow('append-only')
    },
  )

  test('does not let its owner set a balance below zero', async () => {
    const below = `update ledger_accounts set balance = -1 where id = ${userAccount(1, 'wallet')}`
    await expect(asOwner(below)).rejects.toThrow('balance_not_negative')
  })
})

describe('rules', () => {
  const usersOf = [1, 2].map((number) => userAccountKinds.map((kind) => userAccount(number, kind)))
  const all = [...usersOf.flat(), ...systemAccountKinds.map(systemAccount)]

  test('are the same in the code and in the database, for every kind and every pair of accounts', async () => {
    const { rows } = await sql<{ kind: keyof typeof rules; source: AccountId; target: AccountId; allowed: boolean }>`
      select kind, source, target, ledger_allows(kind, source, target) as allowed
      from unnest(enum_range(null::ledger_kind)) as kind, unnest(${all}::bigint[]) as source, unnest(${all}::bigint[]) as target`.execute(
      books.db,
    )
    expect(rows).toHaveLength(postingKinds.length * all.length ** 2)
    const different = rows.filter(({ kind, source, target, allowed }) => isAllowed(kind, source, target) !== allowed)
    expect(different).toEqual([])
  })

  const movements = postingKinds.flatMap((kind) => rules[kind].map(([from, to, users]) => ({ kind, from, to, users })))

  test("move a user's principal only to the same user's wallet", () => {
    expect(movements.filter(({ from }) => from === 'plan')).toEqual([
      { kind: 'plan_maturity', from: 'plan', to: 'wallet', users: 'same' },
    ])
  })

  test('fund a pool only from the operator, and the house also from lost stakes', () => {
    const feeding = movements.filter(
      ({ to, from }) => (poolKinds as readonly string[]).includes(to) && from !== 'operator',
    )
    expect(feeding).toEqual([{ kind: 'round_settlement', from: 'bet_escrow', to: 'house', users: 'any' }])
  })

  test('credit the operator only from the chain and from fees', () => {
    expect(movements.filter(({ to }) => to === 'operator').map(({ from }) => from)).toEqual(['custody', 'fees'])
  })

  // Calls the functions directly, as compromised application code could.
  test.each(['ledger_post_one', 'ledger_post', 'ledger_post_group'])('hold for direct calls of %s', async (name) => {
    const plan = userAccount(1, 'plan')
    const before = await getUserBalances(books.db, 1)
    for (const kind of postingKinds)
      for (const target of all.filter((account) => !isAllowed(kind, plan, account)))
        await expect(callDirectly(name, kind, plan, target), `${kind} ${target}`).rejects.toThrow('no rule allows')
    expect(await getUserBalances(books.db, 1)).toEqual(before)
  })

  test.each(['ledger_post_one', 'ledger_post', 'ledger_post_group'])(
    '%s refuses amounts of zero or less',
    async (name) => {
      for (const amount of [0, -1])
        await expect(
          callDirectly(name, 'plan_maturity', userAccount(1, 'plan'), userAccount(1, 'wallet'), amount),
        ).rejects.toThrow('no rule allows')
    },
  )

  function callDirectly(name: string, kind: string, source: AccountId, target: AccountId, amount = 1) {
    const legs = `${source}::bigint, ${target}::bigint, ${amount}::bigint`
    const [sources, targets, amounts] = [source, target, amount].map((value) => `array[${value}::bigint]`)
    const call = {
      ledger_post_one: `ledger_post_one('${kind}', new_id(), null, null, ${legs})`,
      ledger_post: `ledger_post('${kind}', new_id(), null, null, ${sources}, ${targets}, ${amounts})`,
      ledger_post_group: `ledger_post_group(array['${kind}']::ledger_kind[], array[new_id()], array[null]::uuid[],
        array[null]::jsonb[], '{1}', ${sources}, ${targets}, ${amounts}, false)`,
    }[name]
    return asApplication(`select * from ${call}`)
  }
})
