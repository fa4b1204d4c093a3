import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createChain } from '../../src/server/chain/client.ts'
import { loginNames } from '../../src/server/embedded/postgres.ts'
import { finishDue } from '../../src/server/features/colour/runner.ts'
import { runAudit } from '../../src/server/ledger/audit.ts'
import { allInvariants } from '../../src/server/operators/invariants.ts'
import { createDb, createPool } from '../../src/server/platform/db.ts'
import { createTestTable, type TestTable } from '../../src/server/testing/colour.ts'
import { startTestNode } from '../../src/server/testing/colour-node.ts'
import { type Attacker, createAttacker, DENIED } from './attacker.ts'

let node: Awaited<ReturnType<typeof startTestNode>>
let table: TestTable
let attacker: Attacker
beforeAll(async () => {
  node = await startTestNode()
  table = await createTestTable({ settings: { RPC_URL: node.url } })
  attacker = await createAttacker(table.database)
})
afterAll(async () => {
  await attacker.close()
  await table.close()
  await node.close()
})

const HASH = `0x${'ab'.repeat(32)}`
const bind = (round: bigint, changes = '') =>
  `update colour_rounds set block_number = 1, block_hash = '${HASH}', block_at = clock_timestamp() ${changes}
   where number = ${round}`
const reveal = (round: bigint | string) => `select (colour_reveal(${round})).seed`

describe('learning the seed of a round that can still be bet on', () => {
  /** A round as the seeds process inserts it, with other times. */
  const insert = (opens: string, closes: string, terms = '2, 2, 24, 60') => `
    insert into colour_rounds (number, id, chain_id, opens_at, closes_at, pays_green, pays_red, pays_violet, result_seconds)
    select coalesce(max(number), 0) + 1, new_id(), 1, ${opens}, ${closes}, ${terms} from colour_rounds`
  const minute = `date_bin('60 seconds', clock_timestamp(), '2000-01-01Z')`

  test.each([
    ['in the past', `${minute} - interval '1 hour'`, `${minute} - interval '59 minutes'`],
    ['of the last minute', `${minute} - interval '60 seconds'`, `${minute} - interval '15 seconds'`],
    ['that closes immediately', minute, 'clock_timestamp()'],
    ['that opened at another second', `clock_timestamp()`, `clock_timestamp() + interval '45 seconds'`],
    ['of the next minute', `${minute} + interval '60 seconds'`, `${minute} + interval '105 seconds'`],
    ['that is too long', minute, `${minute} + interval '59 seconds'`],
  ])('a round %s cannot be inserted, so its seed cannot be revealed and rolled back', async (_name, opens, closes) => {
    const attack = `begin; ${insert(opens, closes)}; ${reveal('(select max(number) from colour_rounds)')}; rollback`
    await expect(attacker.as('seeds', attack)).rejects.toThrow('is not a valid next round')
  })

  test.each(['3, 2, 24, 60', '2, 1, 24, 60', '2, 2, 30, 60', '2, 2, 24, 1'])(
    'a round cannot be inserted with the terms %s',
    async (terms) => {
      const attack = insert(minute, `${minute} + interval '45 seconds'`, terms)
      await expect(attacker.as('seeds', attack)).rejects.toThrow('is not a valid next round')
    },
  )

  test('a round cannot be inserted as bound or drawn, or with its own clock', async () => {
    for (const column of ['block_hash', 'seed', 'state', 'created_at', 'created_in', 'bound_at', 'bound_in', 'bets'])
      await expect(attacker.as('seeds', `insert into colour_rounds (${column}) values (null)`)).rejects.toThrow(DENIED)
  })

  test('an open round cannot be bound or revealed', async () => {
    const round = await table.open()
    await expect(attacker.as('seeds', bind(round))).rejects.toThrow(/cannot be bound|check constraint/)
    await expect(attacker.as('seeds', reveal(round))).rejects.toThrow('cannot be revealed')
  })

  test('the API and operators cannot reveal a seed, only seeds creates a chain, and none can call colour_seed', async () => {
    const round = await table.open()
    await table.closeBetting(round)
    await attacker.as('seeds', bind(round))
    for (const login of ['api', 'operator'] as const)
      await expect(attacker.as(login, reveal(round))).rejects.toThrow(DENIED)
    for (const login of ['api', 'operator', 'worker'] as const)
      await expect(attacker.as(login, 'select colour_create_chain(1)')).rejects.toThrow(DENIED)
    for (const login of loginNames)
      await expect(attacker.as(login, `select colour_seed(r) from colour_rounds r`)).rejects.toThrow(DENIED)
  })
})

describe('choosing a draw', () => {
  let round: bigint
  beforeEach(async () => {
    round = await table.open()
    await table.closeBetting(round)
  })

  test('a block cannot be bound, seen to lose and rolled back', async () => {
    const grinding = `begin; ${bind(round)}; ${reveal(round)}; rollback`
    await expect(attacker.as('seeds', grinding)).rejects.toThrow('cannot be revealed')
    const nested = `begin; savepoint a; ${bind(round)}; release a; savepoint b; ${reveal(round)}; rollback`
    await expect(attacker.as('seeds', nested)).rejects.toThrow('cannot be revealed')
    await attacker.as('seeds', bind(round))
    expect(await attacker.as('seeds', reveal(round))).toEqual([{ seed: expect.any(Buffer) }])
  })

  test('the seeds process cannot withhold a draw: the worker draws as well', async () => {
    await attacker.as('seeds', bind(round))
    const seen = await attacker.as('seeds', `begin; ${reveal(round)}; rollback`)
    expect(seen).toEqual([{ seed: expect.any(Buffer) }])
    const worker = createDb(createPool(table.database.urls.worker, 1))
    await finishDue({ db: worker })
    await worker.destroy()
    expect(await attacker.as('worker', `select state, seed from colour_rounds where number = ${round}`)).toEqual([
      { state: 'settled', seed: seen[0]?.['seed'] },
    ])
  })

  test('a bound block cannot be replaced', async () => {
    await attacker.as('seeds', bind(round))
    const other = bind(round).replace(HASH, `0x${'cd'.repeat(32)}`)
    await expect(attacker.as('seeds', other)).rejects.toThrow('only move forward')
    const none = `update colour_rounds set block_number = null, block_hash = null, block_at = null where number = ${round}`
    await expect(attacker.as('seeds', none)).rejects.toThrow('only move forward')
  })

  test.each([
    ['from before closing', `- interval '1 minute'`, 'check constraint'],
    ['from the future', `+ interval '31 seconds'`, 'cannot be bound'],
  ])('a block %s cannot be bound', async (_name, change, message) => {
    await expect(attacker.as('seeds', bind(round, change))).rejects.toThrow(message)
  })

  test('a block cannot be bound after the time limit', async () => {
    await table.closeBetting(round, 61)
    await expect(attacker.as('seeds', bind(round))).rejects.toThrow('cannot be bound')
  })

  test.each(loginNames)('%s cannot write a seed, a draw, an outcome or a time', async (login) => {
    const columns = [
      'seed',
      'draw',
      'outcome',
      'finished_at',
      'bound_at',
      'bound_in',
      'created_in',
      'closes_at',
      'bets',
    ]
    for (const column of columns)
      await expect(attacker.as(login, `update colour_rounds set ${column} = null`)).rejects.toThrow(DENIED)
    if (login === 'worker') return
    await expect(attacker.as(login, `update colour_rounds set state = 'settled'`)).rejects.toThrow(DENIED)
  })

  test('the worker cannot settle without a draw, or refund in time or after a draw', async () => {
    const set = (state: string) =>
      attacker.as('worker', `update colour_rounds set state = '${state}' where number = ${round}`)
    await expect(set('drawn')).rejects.toThrow('check constraint')
    await expect(set('settled')).rejects.toThrow('only move forward')
    await expect(set('refunded')).rejects.toThrow('only move forward')
    await attacker.as('seeds', bind(round))
    await attacker.as('seeds', reveal(round))
    await table.closeBetting(round, 61)
    await expect(set('refunded')).rejects.toThrow('only move forward')
  })

  test.each([
    [1, 'has a different hash on chain'],
    [999_999_999_999, 'is not on the chain'],
  ])('the audit names a round bound to a made-up block %i', async (block, problem) => {
    await attacker.as('seeds', bind(round).replace('block_number = 1', `block_number = ${block}`))
    await attacker.as('seeds', reveal(round))
    const { invariants } = await runAudit(attacker.db, allInvariants(createChain(table.context.config.chain)))
    const found = invariants.find(({ number }) => number === 20)?.findings
    expect(found).toContain(`round ${round} names block ${block}, which ${problem}`)
  })
})
