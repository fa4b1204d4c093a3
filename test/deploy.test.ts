import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readers } from '../src/server/operators/start-check.ts'
import { type ProcessName, settingsOf } from '../src/server/platform/settings.ts'
import { deployPath } from './cluster/deploy.ts'

type Env = Record<string, string>
const read = (path: string): string => readFileSync(deployPath(path), 'utf8')
const readEnv = (path: string) => parseEnv(read(path)) as Env

const processes = Object.keys(readers) as ProcessName[]

test.each(processes)('%s accepts its environment file once the secrets are filled in', (name) => {
  const env = { ...readEnv('env/chain.env'), ...readEnv(`env/${name}.env`) }
  const key = `0x${randomBytes(32).toString('hex')}`
  const filled = Object.fromEntries(
    Object.entries(env).map(([setting, value]) => [setting, value === 'change-me' ? key : value]),
  )
  expect(() => readers[name](filled)).not.toThrow()
  const own = Object.keys(readEnv(`env/${name}.env`))
  expect(own.filter((setting) => !settingsOf[name].includes(setting as never))).toEqual([])
})

test('a process with keys refuses its environment file while a secret is missing', () => {
  const env = { ...readEnv('env/chain.env'), ...readEnv('env/worker.env') }
  expect(() => readers.worker(env)).toThrow('HOT_WALLET_KEY')
})

test('each unit starts its own process as its own user, with its own settings and all restrictions', () => {
  const units = readdirSync(deployPath('systemd'))
  expect(units.map((unit) => /^wellplay-(\w+)\.service$/.exec(unit)?.[1])).toEqual([
    'api',
    'market',
    'migrate',
    'seeds',
    'worker',
  ])
  const restrictions = new Set(units.map((unit) => restrictionsOf(read(`systemd/${unit}`))))
  expect([...restrictions]).toHaveLength(1)
  expect([...restrictions][0]).toContain('ProtectSystem=strict')
  for (const unit of units) {
    const name = basename(unit, '.service').replace('wellplay-', '')
    const lines = read(`systemd/${unit}`).split('\n')
    expect(lines).toContain(`ExecStart=/opt/wellplay/node_modules/.bin/node src/server/main.ts ${name}`)
    expect(lines).toContain(`User=wellplay-${name}`)
    const files = lines.filter((line) => line.startsWith('EnvironmentFile='))
    const shared = name === 'migrate' ? [] : ['EnvironmentFile=/etc/wellplay/chain.env']
    expect(files).toEqual([...shared, `EnvironmentFile=/etc/wellplay/${name}.env`])
  }
})

/** From the comment above the restrictions to the section after them. */
const restrictionsOf = (unit: string): string => /# The process can read[^[]*/.exec(unit)?.[0].trim() ?? ''
