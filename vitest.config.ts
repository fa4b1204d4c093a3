import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Long timeouts: only a test that hangs should time out, not a test on a busy machine.
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } }

/** Test files in one worker share loaded modules: loading the server for each file took longer than most tests. */
const shared = { ...patience, isolate: false }

/** Helpers that a test starts load compiled code from here, which halves the work of starting one. */
const env = { NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache/node/test') }

/** The slowest files, slowest first. If one of them started late, it would still run after all others are done. */
const longest = [
  'test/cluster.test.ts',
  'test/faults.test.ts',
  'test/crashes.test.ts',
  'test/start.test.ts',
  'test/monitoring.test.ts',
  'processes/stop.test.ts',
  'test/pgbouncer.test.ts',
  'withdrawals/kills.test.ts',
  'colour/simulation.test.ts',
  'test/bad-input.test.ts',
  'colour/kill.test.ts',
  'quiz/forgery.test.ts',
  'ledger/property.test.ts',
  'test/silence.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((path) => moduleId.endsWith(path))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    // Three workers for two cores, because the longest tests spend most of their time waiting. Four are slower.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...patience, name: 'tidy', include: ['test/tidy/*.test.ts'] } },
      { test: { ...shared, name: 'protocol', include: ['src/protocol/**/*.test.ts', 'src/verifier/**/*.test.ts'] } },
      { test: { ...patience, name: 'vault', include: ['test/vault/*.test.ts'] } },
      {
        test: {
          ...patience,
          name: 'web',
          include: ['src/ui/**/*.test.{ts,tsx}', 'src/web/**/*.test.{ts,tsx}', 'test/bundle.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          env,
          name: 'server',
          include: [
            'src/server/**/*.test.ts',
            'test/*.test.ts',
            'test/{conformance,idempotency,sql-attacks}/*.test.ts',
            '!test/bundle.test.ts',
          ],
          globalSetup: ['src/server/testing/global-setup.ts'],
        },
      },
    ],
  },
})
