import type { Pool } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseUsdt } from '../../protocol/money.ts'
import { createDb, createPool, newId, transaction } from '../platform/db.ts'
import { fillAccount } from '../testing/ledger.ts'
import { type Replicas, startReplicas } from '../testing/replicas.ts'
import { userAccount } from './accounts.ts'
import { openUserAccounts } from './post.ts'
import type { Posting } from './posting.ts'
import { createLedger, type Ledger } from './submit.ts'

/** A posting that is on the primary alone is not acknowledged, because a failover would lose it (R26). */
let replicas: Replicas
let pool: Pool
let ledger: Ledger

beforeEach(async () => {
  replicas = await startReplicas()
  pool = createPool(replicas.primary.appUrl, 4)
  ledger = createLedger(pool)
  await transaction(createDb(pool), async (tx) => {
    for (const number of [1, 2]) await openUserAccounts(tx, number)
    await fillAccount(tx, 1, 'wallet', parseUsdt('100'))
  })
  await replicas.freeze()
})
afterEach(async () => {
  replicas.thaw()
  await pool.end()
  await replicas.stop()
})

const aTransfer = (): Posting => ({
  kind: 'transfer',
  reference: newId(),
  movements: [{ from: userAccount(1, 'wallet'), to: userAccount(2, 'wallet'), amount: parseUsdt('1') }],
})

/** Which of these transfers the server that took over has. */
async function listFound(transfers: Posting[]): Promise<Posting[]> {
  const promoted = createPool(replicas.standby.appUrl, 1)
  const { rows } = await promoted.query<{ reference: string }>('select reference from ledger_postings')
  await promoted.end()
  const found = new Set(rows.map(({ reference }) => reference))
  return transfers.filter(({ reference }) => found.has(reference))
}

/** The connection is cut by the server, or the whole server is killed. Both leave the posting on the primary. */
const cuts: [string, () => Promise<unknown>][] = [
  ['its connection is terminated', async () => replicas.terminate((await replicas.listWaiting())[0] ?? 0)],
  ['the primary is killed and restarts', () => replicas.crashPrimary()],
]

test.each(cuts)('a posting that waits for a frozen standby while %s: no repeat of it is lost', async (_name, cut) => {
  const posting = aTransfer()
  const failure = ledger.submit(posting).catch((error: unknown) => error)
  expect(await replicas.orWaits(failure)).toBe('waits')
  await cut()
  expect(await failure).toBeInstanceOf(Error)

  const repeat = ledger.submit(posting).catch((error: unknown) => error)
  const acknowledged = (await replicas.orWaits(repeat)) === 'waits' ? [] : [posting]
  await replicas.failOver()
  const found = await listFound([posting])
  expect({ acknowledged, found }).toEqual({ acknowledged: [], found: [] })
  expect(await repeat).toBeInstanceOf(Error)
})

test.each(cuts)(
  'a posting that waits for a frozen standby while %s: an answered repeat is kept',
  async (_name, cut) => {
    const posting = aTransfer()
    const failure = ledger.submit(posting).catch((error: unknown) => error)
    expect(await replicas.orWaits(failure)).toBe('waits')
    await cut()
    expect(await failure).toBeInstanceOf(Error)

    const repeat = ledger.submit(posting)
    expect(await replicas.orWaits(repeat)).toBe('waits')
    replicas.thaw()
    expect(await repeat).toMatchObject({ repeated: true })
    await replicas.failOver()
    expect(await listFound([posting])).toEqual([posting])
  },
)

test('a batch that was cut off fails as a whole, and repeats of its postings wait for the standby', async () => {
  const postings = [aTransfer(), aTransfer(), aTransfer()]
  const submitAll = () => Promise.all(postings.map((posting) => ledger.submit(posting)))
  const failure = submitAll().catch((error: unknown) => error)
  expect(await replicas.orWaits(failure)).toBe('waits')
  await replicas.terminate((await replicas.listWaiting())[0] ?? 0)
  expect(await failure).toBeInstanceOf(Error)

  const repeats = submitAll()
  expect(await replicas.orWaits(repeats)).toBe('waits')
  replicas.thaw()
  expect((await repeats).map(({ repeated }) => repeated)).toEqual([true, true, true])
  await replicas.failOver()
  expect(await listFound(postings)).toEqual(postings)
})
