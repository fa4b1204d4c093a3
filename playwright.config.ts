import { chmodSync, mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { launchOptions } from './scripts/browser.ts'

/** Browser journeys through the real product, with a temporary data folder, a free port and the system's Chromium. */

// Every worker loads this file. The first load chooses the values, and the others read them from the environment.
process.env['JOURNEY_PORT'] ??= String(await freePort())
process.env['JOURNEY_DATA'] ??= mkdtempSync(join(tmpdir(), 'wellplay-journeys-'))
// PostgreSQL does not run as root and must be able to enter this folder.
chmodSync(process.env['JOURNEY_DATA'], 0o755)
const WAITING = ['**/colour.spec.ts', '**/quiz.spec.ts', '**/trial.spec.ts', '**/trust.spec.ts']
const OUTAGES = '**/outage.spec.ts'
const baseURL = `http://localhost:${process.env['JOURNEY_PORT']}`

export default defineConfig({
  testDir: 'test/journeys',
  outputDir: 'test-results',
  // Tests in one file share nothing. The product needs a processor, too, so more workers would only wait for each other.
  fullyParallel: true,
  workers: 2,
  // Long timeouts: only a test that hangs should time out, not a test on a busy machine.
  timeout: 480_000,
  expect: { timeout: 120_000 },
  reporter: [['list'], ['json', { outputFile: '.cache/journeys.json' }]],
  use: {
    baseURL,
    screenshot: 'only-on-failure',
    launchOptions,
  },
  projects: [
    // The tests that wait longest start first. Each file has one worker, so that the others have work meanwhile.
    { name: 'waiting', testMatch: WAITING, fullyParallel: false },
    { name: 'journeys', testIgnore: [...WAITING, OUTAGES] },
    // These tests stop services that the others need, so they run last.
    { name: 'outages', testMatch: OUTAGES, dependencies: ['waiting', 'journeys'] },
  ],
  webServer: {
    command: 'node_modules/.bin/node src/server/main.ts up',
    url: `${baseURL}/readyz`,
    timeout: 240_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    env: {
      PORT: process.env['JOURNEY_PORT'] ?? '',
      DATA_DIR: process.env['JOURNEY_DATA'] ?? '',
      RATE_LIMITS: 'off',
    },
  },
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
