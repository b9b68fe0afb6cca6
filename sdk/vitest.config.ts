import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts'],
    isolate: false,
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The run's report has only this line, and the difference must fit into it.
    chaiConfig: { truncateThreshold: 2_000 },
  },
})
