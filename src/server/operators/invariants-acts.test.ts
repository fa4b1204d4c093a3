import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDb } from '../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../testing/api.ts'
import { auditAfter } from '../testing/corruption.ts'
import { createOwnerPool } from '../testing/database.ts'
import { freezeUser, runTestOps } from '../testing/ops.ts'
import { withdraw } from '../testing/payments.ts'
import { giveWallet, type TestUser } from '../testing/plans.ts'
import { actInvariants } from './invariants-acts.ts'

let api: TestApi
let owner: ReturnType<typeof createDb>
let approved: TestUser
beforeAll(async () => {
  api = await createTestApi()
  owner = createDb(createOwnerPool(api.database.ownerUrl))
  approved = await aUser(api)
  await giveWallet(api, approved.number, '500')
  const { data } = await withdraw(api, approved, '200')
  await runTestOps(api, ['withdrawals', 'approve', data.id, '--as', 'anna', '--why', 'test setup'])
  await freezeUser(api, (await aUser(api)).number)
})
afterAll(async () => {
  await owner.destroy()
  await api.close()
})

async function findingsAfter(...statements: string[]): Promise<string[]> {
  const report = await auditAfter(owner, statements, actInvariants(api.context.chain))
  return report.invariants.flatMap(({ findings }) => findings)
}

test('intact acts pass', async () => {
  expect(await findingsAfter()).toEqual([])
})

test.each([
  [
    'an operator who was not enrolled',
    `insert into operators values ('0x${'9'.repeat(40)}', 'mallory', now())`,
    /mallory/,
  ],
  ['a revocation without signatures', `update operators set revoked_at = now() where name = 'ben'`, /operator ben/],
  ['a performed act without its signature', 'delete from operator_signatures', /with 0 of 1 signatures/],
  [
    'a changed argument',
    `update operator_acts set payload = changed, digest = sha256(convert_to(changed, 'UTF8'))
    from (select id as changed_id, replace(payload, '"200"', '"300"') as changed from operator_acts) c where id = changed_id`,
    /is not valid/,
  ],
  [
    'a freeze without a signature',
    `update users set frozen_at = now()`,
    /is frozen, but the last signed act is missing/,
  ],
  [
    'a freeze lifted by hand',
    `update users set frozen_at = null`,
    /not frozen, but the last signed act is users freeze/,
  ],
  [
    'an approval of another amount',
    `update withdrawals set amount = amount + 1`,
    /no operator signed "withdrawals approve"/,
  ],
  ['a disabled trigger', `alter table halts disable trigger require_operators`, /require_operators on halts/],
])('invariant 29 finds %s', async (_name, statement, finding) => {
  expect(await findingsAfter(statement)).toContainEqual(expect.stringMatching(finding))
})

test('what happened before acts were signed is not reported', async () => {
  const later = `update operator_acts_since set at = now() + interval '1 hour'`
  expect(await findingsAfter(`update users set frozen_at = now() where number = ${approved.number}`, later)).toEqual([])
})
