import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loginNames } from '../../src/server/embedded/postgres.ts'
import { createTestApi, type TestApi } from '../../src/server/testing/api.ts'
import { createOwnerPool } from '../../src/server/testing/database.ts'
import { runTestOpsTogether } from '../../src/server/testing/ops.ts'
import { type Attacker, createAttacker, DENIED } from './attacker.ts'

let api: TestApi
let attacker: Attacker
beforeAll(async () => {
  api = await createTestApi()
  attacker = await createAttacker(api.database)
  const file = join(mkdtempSync(join(tmpdir(), 'wellplay-attack-')), 'terms.json')
  writeFileSync(file, '{"withdrawalFeePercent": 4}')
  const from = new Date(Date.now() + 48 * 3_600_000).toISOString()
  const propose = ['terms', 'propose', file, '--from', from, '--why', 'test setup']
  await runTestOpsTogether(api, propose)
})
afterAll(async () => {
  await attacker.close()
  await api.close()
})

const cheap = `terms || '{"withdrawalFeePercent": 0}'`
const versions = () => attacker.as('operator', 'select version, takes_effect_at, terms from terms_versions order by 1')

describe.each(loginNames)('%s', (login) => {
  test.each([
    [
      'add a version',
      `insert into terms_versions (takes_effect_at, terms, act_id)
      select now() + interval '9 days', ${cheap}, gen_random_uuid() from terms_versions where version = 1`,
    ],
    [
      'add a version with the act of another',
      `insert into terms_versions (takes_effect_at, terms, act_id)
      select now() + interval '9 days', ${cheap}, act_id from terms_versions where version = 2`,
    ],
    [
      'add a version of the past',
      `insert into terms_versions (version, takes_effect_at, announced_at, terms, act_id)
      select 3, now(), now(), terms, gen_random_uuid() from terms_versions where version = 1`,
    ],
    ['change a version', `update terms_versions set terms = ${cheap}`],
    ['bring a version forward', 'update terms_versions set takes_effect_at = now() where version = 2'],
    ['delete a version', 'delete from terms_versions where version = 2'],
    ['empty the table', 'truncate terms_versions cascade'],
    ['cancel a version', 'insert into terms_cancellations (version, act_id) values (2, gen_random_uuid())'],
    ['turn off the triggers', 'alter table terms_versions disable trigger all'],
    [
      'replace the function that reads terms',
      `create or replace function terms_at(moment timestamptz) returns jsonb
      language sql stable return '{}'::jsonb`,
    ],
  ])('cannot %s', async (_name, attack) => {
    const before = await versions()
    await expect(attacker.as(login, attack)).rejects.toThrow(DENIED)
    expect(await versions()).toEqual(before)
  })
})

/** An operator who holds the login, but only their own key: they propose an act and sign it alone. */
const signedAlone = (act: string, details: string) => `
  begin;
  insert into operator_acts (id, act, payload, digest)
  select id, '${act}', payload, sha256(convert_to(payload, 'UTF8')) from (
    select id, (${details} || jsonb_build_object('id', id, 'act', '${act}', 'why', 'x'))::text as payload
    from gen_random_uuid() as id) made;
  insert into operator_signatures (act_id, operator, digest, signature)
  select a.id, o.address, a.digest, '0x' || repeat('1', 130) from operator_acts a, operators o
  where a.performed_at is null and o.name = 'anna' and a.details ->> 'why' = 'x';
  select operator_perform(id) from operator_acts where performed_at is null and details ->> 'why' = 'x';`
const newest = `(select id from operator_acts where details ->> 'why' = 'x' order by proposed_at desc limit 1)`

test('one operator’s signature is not enough to add or cancel a version', async () => {
  const from = `to_char(now() + interval '9 days', 'YYYY-MM-DD"T"HH24:MI:SSOF')`
  const proposal = `jsonb_build_object('from', ${from}, 'terms', (select terms::text from terms_versions where version = 1))`
  const add = `${signedAlone('terms propose', proposal)}
    insert into terms_versions (takes_effect_at, terms, act_id)
    select (details ->> 'from')::timestamptz, (details ->> 'terms')::jsonb, id from operator_acts where id = ${newest}; commit`
  await expect(attacker.as('operator', add)).rejects.toThrow('no operator signed these terms')
  const cancel = `${signedAlone('terms cancel', `jsonb_build_object('version', '2')`)}
    insert into terms_cancellations (version, act_id) select 2, ${newest}; commit`
  await expect(attacker.as('operator', cancel)).rejects.toThrow('no operator signed the cancellation')
})

/** Two signed acts, performed in plain SQL by someone who skips what the commands check. The owner stands in for both. */
const performed = (from: string, terms: string) => `
  begin; set local session_replication_role = replica;
  insert into operator_acts (id, act, payload, digest, performed_at, performed_in)
  select id, 'terms propose', payload, sha256(convert_to(payload, 'UTF8')), now(), pg_current_xact_id() from (
    select id, jsonb_build_object('id', id, 'act', 'terms propose', 'why', 'x', 'from', ${from},
      'terms', (select (${terms})::text from terms_versions where version = 1))::text as payload
    from gen_random_uuid() as id) made;
  set local session_replication_role = origin;
  insert into terms_versions (takes_effect_at, terms, act_id)
  select (details ->> 'from')::timestamptz, (details ->> 'terms')::jsonb, id from operator_acts
  where performed_in = pg_current_xact_id(); rollback`

test.each([
  ['with less notice than 24 hours', `now() + interval '23 hours'`, 'terms', 'terms take effect at least'],
  ['in the past', `now() - interval '1 hour'`, 'terms', 'terms take effect at least'],
  ['before an announced version', `now() + interval '25 hours'`, 'terms', 'another version takes effect'],
  ['without a term', `now() + interval '9 days'`, `terms - 'outflowDailyMax'`, 'must name all terms'],
  ['with a term of another type', `now() + interval '9 days'`, `terms || '{"tiers": 1}'`, 'must name all terms'],
])('the database refuses even signed terms %s', async (_name, from, terms, message) => {
  const owner = createOwnerPool(api.database.ownerUrl)
  await expect(owner.query(performed(from, terms))).rejects.toThrow(message)
  await owner.end()
})

test('the database accepts signed terms in time', async () => {
  const owner = createOwnerPool(api.database.ownerUrl)
  await owner.query(performed(`now() + interval '9 days'`, cheap))
  await owner.end()
})
