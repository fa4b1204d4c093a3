import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { freePort } from '../../src/server/embedded/postgres.ts'
import { SETTINGS_FILE } from '../../src/server/platform/config.ts'
import { spawnProcess } from '../../src/server/testing/processes.ts'
import { publishedKeys } from '../../src/server/testing/published-keys.ts'

/**
 * Starts another API of the tested product, with settings of its own. It shares database, chain and worker with the first
 * one, so it starts in seconds.
 */
export async function startOwnApi(own: Record<string, string>) {
  const folder = process.env['JOURNEY_DATA'] ?? ''
  const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8')) as Record<string, string>
  const { METRICS_PORT: _ofTheFirst, DATABASE_URL = '', ...common } = read(SETTINGS_FILE)
  const login = new URL(DATABASE_URL)
  login.username = 'wellplay_api'
  login.password = read('postgres', 'secrets.json')['api'] ?? ''
  const port = await freePort()
  const url = `http://localhost:${port}`
  const place = { DATABASE_URL: login.href, PORT: String(port), PUBLIC_URL: url, FAUCET_KEY: publishedKeys()[0] ?? '' }
  const api = spawnProcess('api', { ...common, ...place, ...own })
  const isReady = async () => {
    if (api.child.exitCode !== null) throw new Error(`the API did not start:\n${api.output()}`)
    return fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  await expect.poll(isReady).toBe(true)
  return { url, stop: api.stop }
}
