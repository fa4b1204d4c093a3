import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { micro, type Usdt } from '../../../protocol/money.ts'
import { trust } from '../../../protocol/trust.ts'
import { fromHex, toHex } from '../../../verifier/bytes.ts'
import { type Leaf, rootOf, type Sibling } from '../../../verifier/merkle.ts'
import { checkInvariants } from '../../ledger/audit.ts'
import { recordAction } from '../../ledger/audit-log.ts'
import { createDb, createPool } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { runAsOwner } from '../../testing/database.ts'
import { trustInvariants } from './invariants.ts'
import { takeDueSnapshot, takeSnapshot } from './snapshot.ts'
import { buildTree, siblingPlaces } from './tree.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.close())

const leaves = (amounts: bigint[]): Leaf[] =>
  amounts.map((amount, index) => ({
    snapshotId: 'snapshot',
    userId: `user ${index}`,
    nonce: sha256(Buffer.from([index])).subarray(0, 16),
    balances: [amount, 1n, 0n, 0n, 0n, 0n, 0n] as Usdt[],
  }))

function proofIn(levels: ReturnType<typeof buildTree>, count: number, position: number): Sibling[] {
  return siblingPlaces(count, position).map(({ level, position: at, side }) => {
    const node = levels[level]?.[at]
    if (!node) throw new Error('no such node')
    return { ...node, side }
  })
}

test('in a tree of any size every leaf has a valid proof, and the root holds the sum of all leaves', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.bigInt(0n, 10n ** 15n), { minLength: 1, maxLength: 33 }), async (amounts) => {
      const all = leaves(amounts)
      const levels = buildTree(all)
      const root = levels.at(-1)?.[0]
      expect(root?.sum).toBe(amounts.reduce((sum, amount) => sum + amount + 1n, 0n))
      for (const [position, leaf] of all.entries())
        expect(await rootOf(leaf, proofIn(levels, all.length, position), sha256)).toEqual(root)
    }),
    { numRuns: 60, seed: 11 },
  )
})

test('one changed digit anywhere in a proof is caught', async () => {
  const all = leaves([5n, 6n, 7n, 8n, 9n])
  const levels = buildTree(all)
  const root = levels.at(-1)?.[0]
  const leaf = all[2] as Leaf
  const siblings = proofIn(levels, all.length, 2)
  const forgeries: [Leaf, Sibling[]][] = [
    [{ ...leaf, balances: [8n, 0n, 0n, 0n, 0n, 0n, 0n] as Usdt[] }, siblings],
    [{ ...leaf, userId: 'user 3' }, siblings],
    [{ ...leaf, nonce: leaf.nonce.map((byte) => byte ^ 1) }, siblings],
    ...siblings.flatMap((sibling, at): [Leaf, Sibling[]][] => [
      [leaf, siblings.with(at, { ...sibling, sum: micro(sibling.sum + 1n) })],
      [
        leaf,
        siblings.with(at, { ...sibling, hash: sibling.hash.map((byte, place) => (place === 0 ? byte ^ 1 : byte)) }),
      ],
      [leaf, siblings.with(at, { ...sibling, side: sibling.side === 'left' ? 'right' : 'left' })],
    ]),
  ]
  for (const [forgedLeaf, forgedSiblings] of forgeries)
    expect(await rootOf(forgedLeaf, forgedSiblings, sha256)).not.toEqual(root)
})

test('a leaf cannot hold a negative balance', () => {
  expect(() => buildTree(leaves([-1n]))).toThrow()
})

test('a user downloads a proof that leads to the published root', async () => {
  const users = [await aUser(api), await aUser(api), await aUser(api)]
  await takeSnapshot(api.context)
  const { data: summary } = await api.call(trust.summary, {})
  for (const { token, id } of users) {
    const { data } = await api.call(trust.proof, {}, token)
    expect(data.leaf.user_id).toBe(id)
    const leaf = {
      snapshotId: data.snapshot.id,
      userId: data.leaf.user_id,
      nonce: fromHex(data.leaf.nonce),
      balances: data.leaf.balances.map(({ amount }) => amount),
    }
    const siblings = data.siblings.map(({ hash, ...rest }) => ({ hash: fromHex(hash), ...rest }))
    const root = await rootOf(leaf, siblings, sha256)
    expect({ root: toHex(root.hash), total: root.sum }).toEqual({
      root: summary.snapshot?.root,
      total: summary.snapshot?.total,
    })
  }
  const late = await aUser(api)
  expect((await api.send('POST', '/trust/proof/', {}, { token: late.token })).status).toBe(404)
})

const audit = () => api.context.db.transaction().execute((tx) => checkInvariants(tx, trustInvariants))
const countSnapshots = async (): Promise<bigint> => {
  const { rows } = await sql<{ count: bigint }>`select count(*) from liability_snapshots`.execute(api.context.db)
  return rows[0]?.count ?? 0n
}

test('snapshots and other entries of the audit log can be written at the same moment', async () => {
  await aUser(api)
  const entry = { who: 'test', what: 'writes meanwhile', why: 'test' }
  const write = () => api.context.db.transaction().execute((tx) => recordAction(tx, entry))
  const before = await countSnapshots()
  await Promise.all(Array.from({ length: 10 }, () => [takeSnapshot(api.context), write()]).flat())
  expect(await countSnapshots()).toBe(before + 10n)
  expect((await audit()).passed).toBe(true)
})

test('a proof in an older snapshot is still available, and one in an unknown snapshot is not', async () => {
  const { token } = await aUser(api)
  await takeSnapshot(api.context)
  const older = (await api.call(trust.proof, {}, token)).data
  await takeSnapshot(api.context)
  const newer = (await api.call(trust.proof, {}, token)).data
  expect(newer.snapshot.id).not.toBe(older.snapshot.id)
  const send = (snapshot: unknown) => api.send('POST', '/trust/proof/', { snapshot }, { token })
  const wire = z.encode(trust.proof.output.shape.data, older)
  expect((await send(wire.snapshot.id)).body['data']).toEqual(wire)
  expect((await send(wire.snapshot.id.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).status).toBe(404)
  expect((await send('latest')).status).toBe(400)
})

const backdateSnapshots = (interval: string) =>
  runAsOwner(
    api.database.ownerUrl,
    `set session_replication_role = replica;
     update liability_snapshots set taken_at = taken_at - interval '${interval}', taken_on = (taken_at - interval '${interval}')::date`,
  )
const onRealNetwork = () => ({ ...api.context, config: { ...api.context.config, network: 'bsc' as const } })

test('a real network gets one snapshot a day, whatever happens in between', async () => {
  await takeDueSnapshot(api.context)
  await aUser(api)
  const before = await countSnapshots()
  await takeDueSnapshot(onRealNetwork())
  expect(await countSnapshots()).toBe(before)
  await backdateSnapshots('1 day')
  await takeDueSnapshot(onRealNetwork())
  await takeDueSnapshot(onRealNetwork())
  expect(await countSnapshots()).toBe(before + 1n)
})

test('on the development chain the next check takes a snapshot if something has changed, and none if not', async () => {
  await takeDueSnapshot(api.context)
  const before = await countSnapshots()
  await backdateSnapshots('1 hour')
  const late = await aUser(api)
  await takeDueSnapshot(api.context)
  expect(await countSnapshots()).toBe(before + 1n)
  expect((await api.call(trust.proof, {}, late.token)).data.leaf.user_id).toBe(late.id)
  await runAsOwner(api.database.ownerUrl, "update users set created_at = now() - interval '1 hour'")
  await takeDueSnapshot(api.context)
  expect(await countSnapshots()).toBe(before + 1n)
})

test('with more than a thousand users a snapshot is taken once a day on every chain', async () => {
  await runAsOwner(
    api.database.ownerUrl,
    `insert into users (id, username, wallet_address, referral_code)
     select new_id(), 'crowd_' || n, '0x' || lpad(to_hex(n), 40, '0'), lpad(n::text, 8, '0') from generate_series(1, 1000) n`,
  )
  const before = await countSnapshots()
  await takeDueSnapshot(api.context)
  expect(await countSnapshots()).toBe(before)
  await backdateSnapshots('1 day')
  await takeDueSnapshot(api.context)
  expect(await countSnapshots()).toBe(before + 1n)
})

test('invariant 25 names a snapshot that does not match the ledger', async () => {
  expect((await audit()).passed).toBe(true)
  const owner = createDb(createPool(api.database.ownerUrl, 2))
  await sql`alter table liability_snapshots disable trigger all`.execute(owner)
  await sql`update liability_snapshots set total = total + 1`.execute(owner)
  await owner.destroy()
  expect((await audit()).invariants[0]).toMatchObject({
    number: 25,
    findings: [expect.any(String), expect.any(String)],
  })
})
