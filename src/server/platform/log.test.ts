import { inspect } from 'node:util'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createChain } from '../chain/client.ts'
import { testConfig } from '../testing/api.ts'
import { createDb, createPool } from './db.ts'
import { createLog } from './log.ts'
import { redactUrls } from './redact.ts'

const SECRETS = ['S3cretKey', 'S3cretQuery', 'S3cretUser', 'S3cretWord', 'S3cretHash']
const RPC_URL = `http://S3cretUser:S3cretWord@127.0.0.1:1/v3/S3cretKey?apikey=S3cretQuery#S3cretHash`
const DATABASE_URL = 'postgres://wellplay:S3cretWord@127.0.0.1:1/S3cretKey?application_name=S3cretQuery'

/** Everything that a log writes, one entry per write. */
function recording() {
  const lines: string[] = []
  return { lines, log: createLog('debug', 'test', { write: (line) => void lines.push(line) }) }
}

const failed = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('this must fail')),
    (error: Error) => error,
  )

/** Errors as chain node and database really throw them, and errors that contain a whole URL. */
async function realErrors(): Promise<Error[]> {
  const { client } = createChain({ ...testConfig(DATABASE_URL).chain, rpcUrl: RPC_URL })
  const db = createDb(createPool(DATABASE_URL, 1))
  const invalid = await failed(Promise.resolve().then(() => new pg.Client(DATABASE_URL.replace(':1/', ':x/'))))
  return [
    await failed(client.getBlockNumber()),
    await failed(db.selectFrom('users').selectAll().execute()),
    await failed(fetch(RPC_URL)),
    invalid,
    Object.assign(new Error(`cannot reach ${RPC_URL}`, { cause: new Error(DATABASE_URL) }), { url: RPC_URL }),
  ]
}

test('a failing chain node or database never brings a key, password or path of its URL into the log', async () => {
  const { lines, log } = recording()
  const errors = await realErrors()
  for (const err of errors) {
    log.error({ err }, 'loop failed')
    log.warn({ error: err.message, nested: { deep: { url: RPC_URL } } }, `could not use ${DATABASE_URL}`)
    log.child({ url: RPC_URL }).info(JSON.stringify({ url: RPC_URL }))
  }
  expect(lines).toHaveLength(3 * errors.length)
  for (const line of lines) {
    for (const secret of SECRETS) expect(line).not.toContain(secret)
    expect(() => JSON.parse(line)).not.toThrow()
  }
  expect(lines[0]).toContain('http://127.0.0.1:1/[hidden]')
})

test('an error printed by a crashing process contains no secret of a URL', async () => {
  for (const error of await realErrors())
    for (const secret of SECRETS) expect(redactUrls(inspect(error))).not.toContain(secret)
})

test.each([
  ['https://bsc.example/v3/key', 'https://bsc.example/[hidden]'],
  ['https://bsc.example?key=a@b', 'https://bsc.example/[hidden]'],
  ['postgres://user:p@ss@db.example:5432/name', 'postgres://db.example:5432/[hidden]'],
  ['postgres://user:p"\'`{}@[::1]:5432/name', 'postgres://[hidden]'],
  ['postgres://user:pass@[::1]:5432/name', 'postgres://[::1]:5432/[hidden]'],
  ['postgres://user:p?ss@db.example/name', 'postgres://[hidden]'],
  ['http://127.0.0.1:8545 is down', 'http://127.0.0.1:8545 is down'],
  ['at file:///app/src/main.ts:3:14', 'at file:///app/src/main.ts:3:14'],
])('%s is logged as %s', (text, expected) => {
  expect(JSON.parse(redactUrls(JSON.stringify(text)))).toBe(expected)
})

test('text from a user stays on one line of the log and cannot control a terminal', () => {
  const { lines, log } = recording()
  const text = 'a\nb\r\nc\u2028d\u2029e\u001b[2Jf\u009b2Jg\u0007h\u202ei\u007fj\ud800k\0l'
  log.info({ text }, text)
  const controls = [...(lines[0] ?? '')].filter((char) => /[\p{Cc}\u2028\u2029\u202e]/u.test(char))
  expect([lines.length, controls]).toEqual([1, ['\n']])
  expect(JSON.parse(lines[0] ?? '').msg).toBe(text)
})
