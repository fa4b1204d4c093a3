import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { backUp } from './backup.ts'
import { createIdentity } from './encryption.ts'
import { loginNames, startPostgres } from './postgres.ts'
import { restore } from './restore.ts'

const folder = mkdtempSync(join(tmpdir(), 'wellplay-encrypted-'))
// The database does not run as root and needs access to the folder.
chmodSync(folder, 0o755)
const [dataDir, identity] = [join(folder, 'data'), join(folder, 'identity')]
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const KNOWN = 'KnownPlaintext'

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return (await client.query(text).finally(() => client.end())).rows
}

/** Every file below a folder, unpacked if it is compressed. */
const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({ name, bytes: readFileSync(join(parentPath, name)) }))
    .map(({ name, bytes }) => ({ name, bytes: name.endsWith('.gz') ? gunzipSync(bytes) : bytes }))

const findIn = (path: string, texts: string[]) =>
  filesIn(path)
    .filter(({ bytes }) => texts.some((text) => bytes.includes(text)))
    .map(({ name }) => name)

const readSecrets = () => readFileSync(join(dataDir, 'secrets.json'), 'utf8')
const passwordsOf = (secrets: string): string[] => Object.values(JSON.parse(secrets))

/** Starts a server with one row before the backup and one only in the WAL. Returns after the WAL is archived. */
async function backUpRows(backups: string, recipient?: string) {
  const postgres = await startPostgres({ dataDir })
  try {
    await query(postgres.ownerUrl, `drop table if exists kept; create table kept (value text)`)
    await query(postgres.ownerUrl, `insert into kept values ('${KNOWN} one'); checkpoint`)
    await backUp(postgres.ownerUrl, backups, recipient)
    await query(postgres.ownerUrl, `insert into kept values ('${KNOWN} two')`)
    await query(postgres.ownerUrl, 'select pg_switch_wal()')
    return postgres
  } finally {
    await postgres.stop()
  }
}

test('a backup contains no password, and the restored server gets new ones', { timeout: 240_000 }, async () => {
  const backups = join(folder, 'plain')
  await backUpRows(backups)
  const before = readSecrets()
  expect(findIn(backups, [KNOWN])).not.toEqual([])
  expect(findIn(backups, passwordsOf(before))).toEqual([])
  expect(filesIn(backups).filter(({ name }) => /secrets|pg_hba/.test(name))).toEqual([])

  await restore({ from: backups, dataDir })
  expect(passwordsOf(readSecrets()).filter((password) => before.includes(password))).toEqual([])
  const restored = await startPostgres({ dataDir })
  try {
    expect(await query(restored.ownerUrl, 'select value from kept order by value')).toHaveLength(2)
    for (const name of loginNames)
      expect(await query(restored.urls[name], 'select current_user as name')).toEqual([{ name: `wellplay_${name}` }])
    for (const old of passwordsOf(before))
      for (const url of [restored.ownerUrl, ...Object.values(restored.urls)])
        await expect(query(Object.assign(new URL(url), { password: old }).href, 'select 1')).rejects.toThrow('password')
  } finally {
    await restored.stop()
  }
})

test('an encrypted backup contains no plaintext and is restored only with its identity', {
  timeout: 240_000,
}, async () => {
  const backups = join(folder, 'encrypted')
  const recipient = await createIdentity(identity)
  expect(statSync(identity).mode & 0o777).toBe(0o600)
  await backUpRows(backups, recipient)
  expect(filesIn(join(backups, 'archive')).length).toBeGreaterThan(1)
  expect(findIn(backups, [KNOWN, 'wellplay', ...passwordsOf(readSecrets())])).toEqual(['archive'])
  expect(findIn(backups, [KNOWN])).toEqual([])

  const before = readSecrets()
  await expect(restore({ from: backups, dataDir })).rejects.toThrow(
    /^This backup is encrypted. Give its identity file: --identity FILE$/,
  )
  const other = join(folder, 'other')
  await createIdentity(other)
  await expect(restore({ from: backups, dataDir, identity: other })).rejects.toThrow('does not decrypt this backup')
  expect(readSecrets()).toBe(before)

  const target = join(folder, 'elsewhere')
  await restore({ from: backups, dataDir: target, identity })
  const restored = await startPostgres({ dataDir: target })
  try {
    const rows = await query(restored.ownerUrl, 'select value from kept order by value')
    expect(rows).toEqual([{ value: `${KNOWN} one` }, { value: `${KNOWN} two` }])
  } finally {
    await restored.stop()
  }
})

test('plain and encrypted backups do not mix in one folder, and a wrong recipient is refused', {
  timeout: 120_000,
}, async () => {
  const postgres = await startPostgres({ dataDir })
  const recipient = /age1\w+/.exec(readFileSync(identity, 'utf8'))?.[0] ?? ''
  try {
    await expect(backUp(postgres.ownerUrl, join(folder, 'plain'), recipient)).rejects.toThrow('not encrypted')
    await expect(backUp(postgres.ownerUrl, join(folder, 'encrypted'))).rejects.toThrow('contains encrypted backups')
    await expect(backUp(postgres.ownerUrl, join(folder, 'new'), 'age1nonsense')).rejects.toThrow('not an age recipient')
  } finally {
    await postgres.stop()
  }
})
