import { defineConfig } from 'vitest/config'

// Only what hangs fails by the clock: a busy machine is slow, not wrong.
const patience = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } }

export default defineConfig({
  test: {
    // The default leaves a core to a watching editor; here two files at a time keep two cores busy.
    maxWorkers: 2,
    projects: [
      { test: { ...patience, name: 'tidy', include: ['test/tidy/*.test.ts'] } },
      { test: { ...patience, name: 'protocol', include: ['src/protocol/**/*.test.ts', 'src/verifier/**/*.test.ts'] } },
      {
        test: {
          ...patience,
          name: 'web',
          include: ['src/ui/**/*.test.{ts,tsx}', 'src/web/**/*.test.{ts,tsx}', 'test/bundle.test.ts'],
        },
      },
      {
        test: {
          ...patience,
          name: 'server',
          include: ['src/server/**/*.test.ts', 'test/*.test.ts', 'test/idempotency/*.test.ts', '!test/bundle.test.ts'],
          globalSetup: ['src/server/testing/global-setup.ts'],
        },
      },
    ],
  },
})
