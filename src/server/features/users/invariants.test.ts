import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invariants } from '../../operators/invariants.ts'
import { createDb, createPool, type Db } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { auditAfter } from '../../testing/corruption.ts'

let api: TestApi
let owner: Db
let token: string
beforeAll(async () => {
  api = await createTestApi()
  owner = createDb(createPool(api.database.ownerUrl, 2))
  const root = await aUser(api)
  const child = await aUser(api, { referralCode: root.referralCode })
  const grandchild = await aUser(api, { referralCode: child.referralCode })
  token = grandchild.token
})
afterAll(async () => {
  await owner.destroy()
  await api.close()
})

async function findingsAfter(number: number, statements: string[]): Promise<string[]> {
  const report = await auditAfter(owner, statements, invariants)
  return report.invariants.find((invariant) => invariant.number === number)?.findings ?? []
}

const corruptions: [number, string, (token: string) => string[]][] = [
  [18, 'a cycle', () => ['update users set sponsor_number = 3, path = array[3, 1] where number = 1']],
  [18, 'a path without the sponsor', () => ['update users set path = array[1, 3] where number = 3']],
  [18, 'a sponsor who does not exist', () => ['update users set sponsor_number = 99 where number = 2']],
  [24, 'a token in a log', (raw) => [`select audit_append('somebody', 'signed in with ${raw}', 'by mistake')`]],
  [
    24,
    'a token in a stored reply',
    (raw) => [`insert into ledger_postings values ('transfer', 2, new_id(), null, '{"token": "${raw}"}')`],
  ],
  [
    24,
    'a token instead of its hash',
    (raw) => [
      'alter table sessions drop constraint sessions_token_hash_check',
      `update sessions set token_hash = convert_to('${raw}', 'UTF8') where user_number = 3 and ended_at is null`,
    ],
  ],
]

test.each(corruptions)('invariant %i reports %s', async (number, _what, statements) => {
  expect(await findingsAfter(number, [])).toEqual([])
  expect(await findingsAfter(number, statements(token))).not.toEqual([])
})

test('invariant 24 does not search what users wrote', async () => {
  const statements = [
    `update sessions set device = '${token}' where user_number = 1`,
    `update sessions set proof_key = '{"x": "${token}"}' where user_number = 2`,
    `insert into transfers values (new_id(), 1, 2, 'wallet', 1, 'my token: ${token}', now())`,
    `insert into support_requests values (new_id(), 1, 'other', '${token}', 'open', false, now(), now())`,
    `insert into support_messages values (new_id(), new_id(), 'user', '${token}', now())`,
    `insert into idempotency_keys values (1, '/path/', '${token}', '${'0'.repeat(64)}', '{}')`,
  ]
  expect(await findingsAfter(24, statements)).toEqual([])
})

const added = (sponsor: number, path: number[]) => sql<{ path: number[] }>`
  insert into users (id, number, username, wallet_address, referral_code, sponsor_number, path)
  values (new_id(), 1000, 'nobody', ${`0x${'9'.repeat(40)}`}, 'NOBODY00', ${sponsor}, ${path}::int[]) returning path`

test('the database refuses a sign-up below a sponsor who does not exist', async () => {
  await expect(added(99, [99, 1000]).execute(owner)).rejects.toThrow('sponsor 99 of user 1000 does not exist')
})

test('a new user is placed directly below the sponsor, whatever path is inserted', async () => {
  const { rows } = await added(2, [3, 2, 1000]).execute(owner)
  expect(rows).toEqual([{ path: [1, 2, 1000] }])
})
