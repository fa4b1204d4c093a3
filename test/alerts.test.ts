import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPromtool } from './monitoring/debian.ts'

/*
 * deploy/prometheus/alerts.test.yml plays the faults. promtool runs it where it exists: on any Debian or Ubuntu it is
 * fetched. Elsewhere only the first test can fail, and the title of the second says so.
 */
const folder = join(import.meta.dirname, '../deploy/prometheus')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const promtool = findPromtool()

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(promtool ?? '', args, { cwd: folder, encoding: 'utf8' })
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

test(promtool ? 'promtool: each alert is quiet and fires as its test says' : 'promtool is not installed here', () => {
  if (!promtool) return expect(spawnSync('apt-get', ['--version']).status).not.toBe(0)
  for (const args of [
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ])
    expect(run(...args)).toMatchObject({ status: 0, output: expect.stringContaining('SUCCESS') })
})
