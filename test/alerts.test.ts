import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listMissingPackages } from '../scripts/debian-packages.mjs'

/* deploy/prometheus/alerts.test.yml plays the faults, and promtool runs it. */
const folder = join(import.meta.dirname, '../deploy/prometheus')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('/usr/bin/promtool', args, { cwd: folder, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

const namesIn = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))]

test('every alert has a severity, says what to do, and is quiet and fires in a test', () => {
  const alerts = read('alerts.yml').split(/^ {6}- alert: /m)
  const names = alerts.slice(1).map((text) => /^\w+/.exec(text)?.[0])
  expect(names).toEqual(
    expect.arrayContaining(['WorkerDown', 'AuditOld', 'AuditBroken', 'PoolLow', 'RoundsLag', 'PayoutsOld']),
  )
  for (const text of alerts.slice(1)) {
    expect(text).toMatch(/severity: (critical|warning) /)
    expect(text).toMatch(/ summary: .+\n +description: .+/)
  }
  const tests = read('alerts.test.yml')
  expect(namesIn(tests, /labels: 'ALERTS\{alertname="(\w+)"/g)).toEqual(names)
  expect(namesIn(tests, /eval_time: \w+, expr: 'ALERTS\{alertname="(\w+)"/g)).toEqual(names)
})

test.each(['api', 'worker', 'seeds', 'market'])('Prometheus reads %s on the port in its environment file', (name) => {
  const port = /^METRICS_PORT=(\d+)$/m.exec(readFileSync(join(folder, `../env/${name}.env`), 'utf8'))?.[1]
  const [, targets] =
    new RegExp(`job_name: wellplay-${name}\n.*targets: \\[(.*?)\\]`).exec(read('prometheus.yml')) ?? []
  expect(namesIn(targets ?? '', /:(\d+)"/g)).toEqual([port])
})

// `npm test` installs promtool if it may, and otherwise says at its end that this test was left out.
test.skipIf(listMissingPackages(['prometheus']).length > 0)('each alert is quiet and fires as its test says', () => {
  for (const args of [
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ])
    expect(run(...args)).toMatchObject({ status: 0, output: expect.stringContaining('SUCCESS') })
})
