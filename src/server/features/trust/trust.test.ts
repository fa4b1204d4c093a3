import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { brand } from '../../../protocol/brand.ts'
import { trust } from '../../../protocol/trust.ts'
import { checkKeptFile } from '../../../verifier/kept-files.ts'
import { checkInvariants } from '../../ledger/audit.ts'
import { recordAction } from '../../ledger/audit-log.ts'
import { createDb, createPool } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { recordRoot } from '../../testing/roots.ts'
import { trustInvariants } from './invariants.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.close())

test('a user downloads a proof that leads to the published root', async () => {
  const users = [await aUser(api), await aUser(api), await aUser(api)]
  await recordRoot(api.context)
  const { data: summary } = await api.call(trust.summary, {})
  for (const { token, id } of users) {
    const { data } = await api.call(trust.proof, {}, token)
    expect(data.leaf.user_id).toBe(id)
    const file = JSON.stringify(z.encode(trust.proof.output.shape.data, data))
    expect(await checkKeptFile(file, brand.name, sha256)).toMatchObject({
      isRight: true,
      root: summary.snapshot?.root,
    })
    const otherKey = file.replace(data.leaf_key, 'ab'.repeat(32))
    expect((await checkKeptFile(otherKey, brand.name, sha256)).problems).toEqual([
      'The leaf key is not the one of this leaf',
    ])
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
  const writes = Array.from({ length: 10 }, write)
  await recordRoot(api.context)
  await Promise.all(writes)
  expect(await countSnapshots()).toBe(before + 1n)
  expect((await audit()).passed).toBe(true)
})

test('a proof in an older snapshot is still available, and one in an unknown snapshot is not', async () => {
  const { token } = await aUser(api)
  await recordRoot(api.context)
  const older = (await api.call(trust.proof, {}, token)).data
  await recordRoot(api.context)
  const newer = (await api.call(trust.proof, {}, token)).data
  expect(newer.snapshot.id).not.toBe(older.snapshot.id)
  const send = (snapshot: unknown) => api.send('POST', '/trust/proof/', { snapshot }, { token })
  const wire = z.encode(trust.proof.output.shape.data, older)
  expect((await send(wire.snapshot.id)).body['data']).toEqual(wire)
  expect((await send(wire.snapshot.id.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).status).toBe(404)
  expect((await send('latest')).status).toBe(400)
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

test('invariant 25 names a part of the tree that was changed', async () => {
  const owner = createDb(createPool(api.database.ownerUrl, 2))
  await sql`update liability_snapshots set total = total - 1`.execute(owner)
  expect((await audit()).passed).toBe(true)
  await sql`alter table liability_parts disable trigger all`.execute(owner)
  await sql`update liability_parts set records = set_byte(records, 3, 255 - get_byte(records, 3))`.execute(owner)
  await owner.destroy()
  expect((await audit()).invariants[0]?.findings).toEqual([expect.stringMatching(/part 0 .* does not match its root/)])
})
