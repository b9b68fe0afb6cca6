import { defineConfig } from 'vitest/config'

/** Half a minute of a core: clock-drift.test.ts drifts as far in two minutes of media. */
const LONG = ['src/half-an-hour.test.ts']

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts'],
    exclude: process.env['TEST_SCOPE'] === 'whole' ? [] : LONG,
    // No file leaves state in its process, and loading the modules costs more than most tests.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A run's report has only this line, so it must show the difference.
    chaiConfig: { truncateThreshold: 2_000 },
  },
})
