import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // The default leaves a core to a watching editor; here two files at a time keep two cores busy.
    maxWorkers: 2,
    projects: [
      { test: { name: 'tidy', include: ['test/tidy.test.ts'] } },
      { test: { name: 'protocol', include: ['src/protocol/**/*.test.ts'] } },
      {
        test: {
          name: 'web',
          include: ['src/ui/**/*.test.{ts,tsx}', 'src/web/**/*.test.{ts,tsx}', 'test/bundle.test.ts'],
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['src/server/**/*.test.ts', 'test/*.test.ts', '!test/tidy.test.ts', '!test/bundle.test.ts'],
          globalSetup: ['src/server/testing/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
