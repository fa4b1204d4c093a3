import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Only what hangs fails by the clock: a busy machine is slow, not wrong.
const patience = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } }

/** Files of one worker share their modules: loading the server again for each file took longer than most tests. */
const shared = { ...patience, isolate: false }

/** The longest files, the longest first. Started late, one of them would run on alone at the end. */
const longest = [
  'test/faults.test.ts',
  'colour/simulation.test.ts',
  'test/start.test.ts',
  'withdrawals/kills.test.ts',
  'test/bad-input.test.ts',
  'colour/kill.test.ts',
  'quiz/forgery.test.ts',
  'ledger/property.test.ts',
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
    // One more than two cores: the tests of faults and kills wait for half of their time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...patience, name: 'tidy', include: ['test/tidy/*.test.ts'] } },
      { test: { ...shared, name: 'protocol', include: ['src/protocol/**/*.test.ts', 'src/verifier/**/*.test.ts'] } },
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
          name: 'server',
          include: ['src/server/**/*.test.ts', 'test/*.test.ts', 'test/idempotency/*.test.ts', '!test/bundle.test.ts'],
          globalSetup: ['src/server/testing/global-setup.ts'],
        },
      },
    ],
  },
})
