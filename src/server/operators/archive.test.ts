import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ArchivedEntry, createSliceDigest, ENTRY_FIELDS, FORMAT, sealHash } from '../../verifier/archive.ts'
import { createArchiveCheck } from '../../verifier/archive-check.ts'
import { aUser, createTestApi, type TestApi } from '../testing/api.ts'
import { createOwnerPool } from '../testing/database.ts'
import { runTestOps } from '../testing/ops.ts'
import { transfer } from '../testing/payments.ts'
import { giveWallet } from '../testing/plans.ts'

const SCRIPT = new URL('../../../scripts/verify-archive.ts', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'wellplay-archive-'))
const fileOf = (name: string) => join(folder, `${name}.ndjson`)
const readLines = (name: string) => readFileSync(fileOf(name), 'utf8').trimEnd().split('\n')

let api: TestApi
let owner: ReturnType<typeof createOwnerPool>
let users: Awaited<ReturnType<typeof aUser>>[]
beforeAll(async () => {
  api = await createTestApi()
  owner = createOwnerPool(api.database.ownerUrl)
  users = [await aUser(api), await aUser(api)]
  for (const { number } of users) await giveWallet(api, number, '100')
})
afterAll(async () => {
  await owner.end()
  await api.close()
  rmSync(folder, { recursive: true })
})

const archive = (name: string, ...options: string[]) =>
  runTestOps(api, ['archive', fileOf(name), ...options, '--as', 'anna'])

async function pay(amount: string): Promise<void> {
  const [from, to] = users
  if (!from || !to) throw new Error('no users')
  await transfer(api, from, to, amount)
}

/** Seals everything that is new, as the audit does. Nobody else writes to this database meanwhile. */
const seal = () =>
  owner.query(`
    with slice as (
      select coalesce((select max(tx_to) from ledger_seals), 0) as tx_from, (select max(tx) + 1 from ledger_postings) as tx_to
    ), last as (select coalesce(max(id), 0) as id from ledger_seals)
    insert into ledger_seals (id, tx_from, tx_to, entries, digest, hash)
    select last.id + 1, tx_from, tx_to, entries, digest, ledger_seal_hash(
      coalesce((select hash from ledger_seals where id = last.id), ''), tx_from, tx_to, digest)
    from slice, last, ledger_digest(tx_from, tx_to)`)

/** Runs the check that a stranger runs, in a process of its own. */
async function verify(...args: string[]): Promise<{ code: number; text: string }> {
  const run = promisify(execFile)(process.execPath, [SCRIPT, ...args])
  const ended = await run.catch((error: { code: number; stdout: string; stderr: string }) => error)
  return { code: 'code' in ended ? ended.code : 0, text: ended.stdout + ended.stderr }
}

const newHash = () => createHash('sha256')
function check(lines: readonly string[]) {
  const checking = createArchiveCheck(newHash)
  for (const line of lines) checking.addLine(line)
  return checking.result()
}

test('without sealed history there is nothing to archive, and no file', async () => {
  const { code, text } = await archive('empty')
  expect([code, text]).toEqual([1, expect.stringContaining('There is no sealed history to archive yet')])
  expect(existsSync(fileOf('empty'))).toBe(false)
  expect(existsSync(`${fileOf('empty')}.part`)).toBe(false)
})

test('a stranger can check an archive and all later ones, against a hash that was published', async () => {
  await pay('1.000001')
  await seal()
  await pay('2')
  await pay('3')
  await seal()
  expect(await archive('first')).toMatchObject({ code: 0 })
  await pay('4')
  await seal()
  expect(await archive('second', '--after', '2')).toMatchObject({ code: 0 })

  const seals = (await owner.query(`select encode(hash, 'hex') as hash from ledger_seals order by id`)).rows
  const entries = (await owner.query('select count(*)::int as count from ledger_entries')).rows[0].count
  const both = await verify(fileOf('first'), fileOf('second'), '--hash', seals[0].hash)
  expect(both).toEqual({
    code: 0,
    text: `3 seals and ${entries} entries checked, all correct. Last hash: ${seals[2].hash}\n`,
  })
  expect(await verify(fileOf('second'))).toMatchObject({
    code: 0,
    text: expect.stringContaining('Sums and accounts are not checked'),
  })
  expect(await verify(fileOf('second'), fileOf('first'))).toMatchObject({ code: 1 })
  expect(await verify(fileOf('first'), '--hash', '0'.repeat(64))).toMatchObject({ code: 1 })
})

test('an archive has every entry of its accounts, no reply to a user, and only its owner can read it', async () => {
  const lines = readLines('first').map((line) => JSON.parse(line))
  const entries = lines.filter((line) => Array.isArray(line)) as ArchivedEntry[]
  const { rows } = await owner.query(`select tx::text, account_id::text as account, version::text, amount::text,
    balance_after::text, kind::text, reference::text from ledger_entries
    where tx < (select tx_to from ledger_seals where id = 2) order by ledger_entries.tx, account_id, ledger_entries.version`)
  const named = entries.map((entry) => Object.fromEntries(ENTRY_FIELDS.map((field, at) => [field, entry[at]])))
  expect(named).toEqual(rows.map((row) => ({ ...row, posted_at: expect.stringMatching(/^20.+\.\d{6}Z$/) })))
  expect(readFileSync(fileOf('first'), 'utf8')).not.toContain(users[1]?.username)
  expect(statSync(fileOf('first')).mode & 0o777).toBe(0o600)
})

test('the audit log names the archive and the hash of its file', async () => {
  const sha256 = createHash('sha256')
    .update(readFileSync(fileOf('second')))
    .digest('hex')
  const { rows } = await owner.query(`select who, what, why from audit_log where why like '%' || $1`, [sha256])
  expect(rows).toEqual([
    { who: 'anna', what: expect.stringMatching(/^archive: 1 seals after seal 2, /), why: expect.anything() },
  ])
})

test.each<[string, (lines: string[]) => string[], string]>([
  ['a changed amount', edit(1, '"-1000001"', '"-1000000"'), 'does not follow'],
  ['an amount changed on both sides', (lines) => lines.map((line) => line.replace(/"(-?)1000001"/, '"$12000001"')), ''],
  ['a changed time', (lines) => lines.map((line) => line.replace(/"20(\d\d)-/, '"19$1-')), 'do not match its digest'],
  ['a missing entry', without((line) => line.startsWith('[')), 'sums to'],
  [
    'an entry that is there twice',
    (lines) => lines.flatMap((line) => (line.startsWith('[') ? [line, line] : [line])),
    'there twice',
  ],
  ['a number that is written in another way', edit(1, '"-1000001"', '"-01000001"'), 'not an entry'],
  ['a field that no hash contains', edit(1, '"-1000001"', '"-1000001",""'), 'not an entry'],
  ['a missing posting', without((line) => line.startsWith('"')), 'do not match its digest'],
  ['another posting', (lines) => lines.map((line) => (line.startsWith('"') ? `"${'0'.repeat(64)}"` : line)), 'digest'],
  ['a changed digest', (lines) => lines.map((line) => line.replace(/"digest":"./, '"digest":"x')), 'digest'],
  ['a changed hash', (lines) => lines.map((line) => line.replace(/"hash":"[^"]{8}/, '"hash":"00000000')), 'hash'],
  ['a missing slice', withoutSlice(1), ''],
  [
    'slices in another order',
    (lines) => [lines[0] ?? '', ...sliceAt(lines, 2), ...sliceAt(lines, 1), lines.at(-1) ?? ''],
    '',
  ],
  ['a cut file', (lines) => lines.slice(0, -1), 'its last line is missing'],
  ['a file that is cut in a slice', (lines) => lines.slice(0, 4), 'its last line is missing'],
  ['lines after the end', (lines) => [...lines, lines[2] ?? ''], ''],
  ['something else', () => ['{"format":"other","entry":[]}'], 'not an archive'],
])('%s is found', (_name, change, problem) => {
  const lines = readLines('first')
  expect(check(lines)).toMatchObject({ isWhole: true, waiting: 0 })
  const changed = change(lines)
  expect(changed).not.toEqual(lines)
  expect(() => check(changed)).toThrow(problem)
})

function edit(times: number, from: string, to: string) {
  return (lines: string[]) => {
    let left = times
    return lines.map((line) => (line.includes(from) && left-- > 0 ? line.replace(from, to) : line))
  }
}
function without(isIt: (line: string) => boolean) {
  return (lines: string[]) => lines.toSpliced(lines.findIndex(isIt), 1)
}
function sliceAt(lines: string[], id: number): string[] {
  const from = lines.findIndex((line) => line.startsWith(`{"seal":{"id":"${id}"`))
  return lines.slice(from, lines.findIndex((line, at) => at > from && line.startsWith('{"sealed"')) + 1)
}
function withoutSlice(id: number) {
  return (lines: string[]) => lines.filter((line) => !sliceAt(lines, id).includes(line))
}

/** A file whose seals all match: what an operator with full control of the database could produce. */
function forge(...slices: ArchivedEntry[][]): string[] {
  let previous = ''
  let next = 0
  const lines = [JSON.stringify({ format: FORMAT, entry: ENTRY_FIELDS })]
  for (const [at, entries] of slices.entries()) {
    const to = Math.max(...entries.map(([tx]) => Number(tx))) + 1
    const sum = createSliceDigest(newHash)
    for (const entry of entries) sum.addEntry(entry)
    const digest = sum.end()
    const hash = sealHash(newHash, previous, BigInt(next), BigInt(to), digest)
    lines.push(JSON.stringify({ seal: { id: String(at + 1), tx_from: String(next), tx_to: String(to), previous } }))
    lines.push(...entries.map((entry) => JSON.stringify(entry)))
    lines.push(JSON.stringify({ sealed: { entries: String(entries.length), digest, hash } }))
    previous = hash
    next = to
  }
  const entries = String(slices.flat().length)
  return [...lines, JSON.stringify({ end: { seals: String(slices.length), entries, hash: previous } })]
}
const entry = (
  tx: number,
  account: number,
  version: number,
  amount: number,
  balance: number,
  ref = tx,
): ArchivedEntry => [
  ...([String(tx), String(account), String(version), String(amount), String(balance)] as const),
  '2026-01-01T00:00:00.000000Z',
  'transfer',
  `00000000-0000-7000-8000-${String(ref).padStart(12, '0')}`,
]

test('money from nothing, a balance that does not follow and a repeated entry are found, even if all seals match', () => {
  expect(check(forge([entry(1, 1, 1, -5, -5), entry(1, 2, 1, 5, 5)]))).toMatchObject({ entries: 2n, waiting: 0 })
  expect(() => check(forge([entry(1, 1, 1, -5, -5), entry(1, 2, 1, 6, 6)]))).toThrow('sums to 1')
  expect(() => check(forge([entry(1, 1, 1, -5, -5), entry(1, 2, 1, 5, 7)]))).toThrow(
    'entry 1 of account 2 does not follow',
  )
  const again = [entry(2, 1, 1, -5, -5), entry(2, 2, 1, 5, 5)]
  expect(() => check(forge([entry(1, 1, 1, -5, -5), entry(1, 2, 1, 5, 5)], again))).toThrow('there twice')
  const earlier = [entry(3, 1, 2, -5, -10), entry(3, 2, 2, 5, 10)]
  expect(() => check(forge([entry(5, 2, 1, 5, 5), entry(5, 1, 1, -5, -5)]))).toThrow('account 1 is not in its place')
  expect(() => check(forge([entry(5, 1, 1, -5, -5), entry(5, 2, 1, 5, 5)], earlier))).toThrow('is not in its place')
  // The posting sums to zero only together with an entry of another transaction.
  expect(() => check(forge([entry(1, 1, 1, -5, -5, 9), entry(2, 2, 1, 5, 5, 9)]))).toThrow('sums to -5')
})

test('a transaction that began first and posted second is correct, even across seals', () => {
  const late = [entry(1, 1, 2, -1, -6), entry(1, 2, 2, 1, 6)]
  const early = [entry(2, 1, 1, -5, -5), entry(2, 2, 1, 5, 5)]
  expect(check(forge([...late, ...early]))).toMatchObject({ waiting: 0 })
  expect(check(forge(late, early))).toMatchObject({ waiting: 0 })
  expect(check(forge(late))).toMatchObject({ waiting: 2 })
  expect(() => check(forge(late, [entry(2, 1, 1, -5, -5), entry(2, 2, 1, 5, 6)]))).toThrow('does not follow')
})

test('history that was changed after it was sealed is not archived', async () => {
  const change = (by: number) =>
    owner.query(`begin; set local session_replication_role = replica;
      update ledger_entries set amount = amount + ${by} where kind = 'transfer' and amount in (-1000001, -1000000); commit`)
  await change(1)
  expect(await archive('changed')).toMatchObject({ code: 1, text: expect.stringContaining('does not match its seals') })
  expect(existsSync(fileOf('changed'))).toBe(false)
  expect(existsSync(`${fileOf('changed')}.part`)).toBe(false)
  await change(-1)
  expect(await archive('changed')).toMatchObject({ code: 0 })
})

test('a slice with more rows than one read is complete', async () => {
  await owner.query(`
    select ledger_open_accounts(n) from generate_series(1000, 11000) n;
    select ledger_post('chain_deposit', new_id(), null, null, array_agg(ledger_custody()), array_agg(n::bigint * 16 + 3),
      array_agg(7::bigint)) from generate_series(1000, 11000) n`)
  await seal()
  expect(await archive('large')).toMatchObject({ code: 0 })
  const { rows } = await owner.query('select count(*) as count from ledger_entries')
  expect(check(readLines('large')).entries).toBe(BigInt(rows[0].count))
})

test('an archive never replaces a file, and wrong arguments get a sentence', async () => {
  writeFileSync(fileOf('other'), 'mine')
  writeFileSync(`${fileOf('running')}.part`, 'of another process')
  expect(await archive('other')).toMatchObject({ code: 1, text: expect.stringContaining('exists already') })
  expect(await archive('running')).toMatchObject({ code: 1, text: expect.stringContaining('exists already') })
  expect(readFileSync(fileOf('other'), 'utf8')).toBe('mine')
  expect(readFileSync(`${fileOf('running')}.part`, 'utf8')).toBe('of another process')
  expect(await archive('none', '--after', 'x')).toMatchObject({
    code: 1,
    text: expect.stringContaining('number of a seal'),
  })
  expect(await archive('none', '--after', '99')).toMatchObject({
    code: 1,
    text: expect.stringContaining('no sealed history'),
  })
  expect(existsSync(fileOf('none'))).toBe(false)
})
