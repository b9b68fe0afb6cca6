import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts', '*.test.ts'],
    // The files share no state, and loading the modules anew takes five times as long as the tests.
    isolate: false,
    maxWorkers: 2,
    // Only what hangs takes so long, whatever else the machine does.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The report of a run has this line alone, and it says what differs.
    chaiConfig: { truncateThreshold: 2_000 },
  },
})
