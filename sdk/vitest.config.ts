import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts'],
    isolate: false,
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The report of a run has this line alone, and it says what differs.
    chaiConfig: { truncateThreshold: 2_000 },
  },
})
