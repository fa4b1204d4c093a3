import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { terms } from '../../protocol/terms.ts'
import { defaultTerms } from '../../protocol/terms-defaults.ts'
import { termsDateText } from '../../protocol/terms-words.ts'
import { createDb, transaction } from '../platform/db.ts'
import { termsAt } from '../platform/terms.ts'
import { createTestApi, type TestApi } from '../testing/api.ts'
import { auditAfter } from '../testing/corruption.ts'
import { createOwnerPool } from '../testing/database.ts'
import { runTestOps, runTestOpsTogether, waitingId } from '../testing/ops.ts'
import { actInvariants } from './invariants-acts.ts'

let api: TestApi
let owner: ReturnType<typeof createDb>
beforeAll(async () => {
  api = await createTestApi()
  owner = createDb(createOwnerPool(api.database.ownerUrl))
})
afterAll(async () => {
  await owner.destroy()
  await api.close()
})

const why = ['--why', 'a test of terms']
const folder = mkdtempSync(join(tmpdir(), 'wellplay-terms-'))
let files = 0
function file(content: unknown): string {
  const path = join(folder, `${++files}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
/** Each test announces for a later date than the tests before it. */
let lastHours = 48
beforeEach(() => {
  lastHours += 48
})

const proposal = (changes: object, from = inHours(lastHours)) => [
  ...['terms', 'propose', file(changes), '--from', from.toISOString(), ...why],
]
const read = () => api.call(terms.read, {})
const findings = async (...statements: string[]) =>
  (await auditAfter(owner, statements, actInvariants(api.context.chain))).invariants.flatMap((each) => each.findings)

test('a new installation has the default terms, and nothing is announced', async () => {
  expect(await read()).toMatchObject({ version: 1, data: defaultTerms, announced: [] })
  expect(await termsAt(api.context.db)).toEqual(defaultTerms)
  expect(await termsAt(api.context.db, new Date('2020-01-01T00:00:00Z'))).toEqual(defaultTerms)
})

test('two operators announce a change; it applies from its date on, and everyone can read it before', async () => {
  const from = inHours(lastHours)
  const proposed = await runTestOps(api, [...proposal({ withdrawalFeePercent: 4 }, from), '--as', 'anna'])
  expect(proposed.text).toContain(`Withdrawal fee: 5% → 4% from ${termsDateText(from)}`)
  expect((await read()).announced).toEqual([])
  expect((await runTestOps(api, ['approvals'])).text).toContain('Withdrawal fee: 5% → 4%')
  const approved = await runTestOps(api, ['approve', waitingId(proposed.text), '--as', 'ben'])
  expect(approved).toEqual({ code: 0, text: `Announced as version 2. It takes effect on ${termsDateText(from)}.` })
  const change = { term: 'withdrawalFeePercent', name: 'withdrawal fee', before: '5%', after: '4%' }
  expect((await read()).announced).toEqual([{ version: 2, takes_effect_at: from, changes: [change] }])
  expect((await runTestOps(api, ['terms'])).text).toContain(`Withdrawal fee: 5% → 4% from ${termsDateText(from)}`)
  const { db } = api.context
  expect((await termsAt(db)).withdrawalFeePercent).toBe(5n)
  expect((await termsAt(db, new Date(from.getTime() - 1))).withdrawalFeePercent).toBe(5n)
  expect((await termsAt(db, from)).withdrawalFeePercent).toBe(4n)
  expect(await findings()).toEqual([])
})

test('the same operator cannot announce alone', async () => {
  const proposed = await runTestOps(api, [...proposal({ withdrawalMin: '20' }), '--as', 'anna'])
  const again = await runTestOps(api, ['approve', waitingId(proposed.text), '--as', 'anna'])
  expect(again).toMatchObject({ code: 1, text: expect.stringContaining('another operator must sign it') })
})

test.each<[string, () => string[], string]>([
  ['with less than 24 hours notice', () => proposal({ transferMin: '1' }, inHours(23)), 'at least 24 hours'],
  ['before an announced version', () => proposal({ transferMin: '1' }, inHours(30)), 'Version 2 takes effect'],
  ['without a change', () => proposal({ transferMin: '0.01' }), 'This changes nothing'],
  ['with a gap between tiers', () => proposal({ planAmountMax: '6000' }), 'The last tier must end'],
  ['with an unknown term', () => proposal({ houseEdge: 1 }), 'does not have such a field'],
  ['with a number that is out of bounds', () => proposal({ withdrawalFeePercent: 90 }), 'withdrawalFeePercent'],
  ['without a date', () => ['terms', 'propose', file({}), '--from', 'tomorrow', ...why], 'Give the date'],
  ['from a file that is no JSON', () => ['terms', 'propose', file('{'), '--from', '2099-01-01', ...why], 'as JSON'],
])('a proposal %s is refused', async (_name, args, problem) => {
  const { code, text } = await runTestOps(api, [...args(), '--as', 'anna'])
  expect(code).toBe(1)
  expect(text).toContain(problem)
})

test('a proposal is refused when the terms before it have changed in the meantime', async () => {
  const waiting = await runTestOps(api, [...proposal({ transferMax: '4000' }, inHours(lastHours + 1)), '--as', 'anna'])
  await runTestOpsTogether(api, proposal({ transferMax: '3000' }))
  const late = await runTestOps(api, ['approve', waitingId(waiting.text), '--as', 'ben'])
  expect(late).toMatchObject({ code: 1, text: expect.stringContaining('propose it again') })
})

test('two operators cancel a version before its date; it never applies', async () => {
  const from = inHours(lastHours)
  await runTestOpsTogether(api, proposal({ colourBetMax: '50' }, from))
  const version = (await read()).announced.at(-1)?.version
  const cancelled = await runTestOpsTogether(api, ['terms', 'cancel', String(version), ...why])
  expect(cancelled).toEqual({ code: 0, text: `Version ${version} is cancelled.` })
  expect((await read()).announced.map((each) => each.version)).not.toContain(version)
  expect((await termsAt(api.context.db, from)).colourBetMax).toBe(defaultTerms.colourBetMax)
  expect(await findings()).toEqual([])
  expect(await runTestOps(api, ['terms', 'cancel', '1', ...why, '--as', 'anna'])).toMatchObject({ code: 1 })
})

test('all statements of a transaction see the same terms', async () => {
  const [first, second] = await transaction(api.context.db, async (tx) => [await termsAt(tx), await termsAt(tx)])
  expect(first).toBe(second)
})

test.each([
  [
    'a version without signatures',
    `insert into terms_versions select 99, now() + interval '90 days', now(), terms,
    gen_random_uuid() from terms_versions where version = 1`,
    /version 99 of the terms/,
  ],
  [
    'a changed term',
    `update terms_versions set terms = terms || '{"withdrawalFeePercent": 0}' where version = 2`,
    /version 2 of the terms/,
  ],
  ['an earlier date', `update terms_versions set takes_effect_at = now() where version = 2`, /version 2 of the terms/],
  ['a version that was removed', 'delete from terms_versions where version = 2', /of the terms is not what/],
  [
    'a cancellation without signatures',
    `insert into terms_cancellations values (2, now(), gen_random_uuid())`,
    /cancellation of version 2/,
  ],
  ['a disabled trigger', 'alter table terms_versions disable trigger require_operators', /require_operators on terms/],
])('invariant 29 finds %s', async (_name, statement, finding) => {
  expect(await findings(statement)).toContainEqual(expect.stringMatching(finding))
})
