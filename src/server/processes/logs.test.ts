import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { withLogFile } from '../embedded/child.ts'
import { testSettings } from '../testing/api.ts'
import { startProcess } from './start-process.ts'

const logFolder = mkdtempSync(join(tmpdir(), 'wellplay-logs-'))
afterAll(() => rmSync(logFolder, { recursive: true, force: true }))
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

const RPC_URL = 'http://127.0.0.1:1/v3/S3cretKey?apikey=S3cretQuery'
const DATABASE_URL = 'postgres://wellplay:S3cretWord@127.0.0.1:1/wellplay'

test.each([
  ['worker', 'HttpRequestError'],
  ['api', 'event connection failed'],
] as const)('the log file of the %s contains no secret of a URL: %s', async (name, expected) => {
  const keys = { HOT_WALLET_KEY: `0x${'1'.repeat(64)}`, PUBLISHER_KEY: `0x${'2'.repeat(64)}` }
  const settings = { ...testSettings(DATABASE_URL), RPC_URL, ...keys, PORT: '0', LOG_LEVEL: 'debug' }
  const running = startProcess(name, { settings, logFolder, watch: false })
  const path = join(logFolder, `${name}.log`)
  await vi.waitFor(() => expect(readFileSync(path, 'utf8')).toContain(expected), { timeout: 30_000 })
  await running.stop()
  expect(readFileSync(path, 'utf8')).not.toContain('S3cret')
  expect(modeOf(path)).toBe('600')
})

test('a log file that everyone could read becomes private when it is opened, and so does its predecessor', () => {
  const path = join(logFolder, 'old.log')
  writeFileSync(path, 'readable')
  chmodSync(path, 0o644)
  withLogFile(path, () => {})
  expect(modeOf(path)).toBe('600')
  truncateSync(path, 10_000_001)
  chmodSync(path, 0o644)
  withLogFile(path, () => {})
  expect([modeOf(path), modeOf(`${path}.old`)]).toEqual(['600', '600'])
})
