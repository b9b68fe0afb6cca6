import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts', '*.test.ts'],
    // The files share no state, and loading the modules anew takes five times as long as the tests.
    isolate: false,
    maxWorkers: 2,
    // Only a hanging test takes this long, even on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The run's report has only this line, and the difference must fit into it.
    chaiConfig: { truncateThreshold: 2_000 },
  },
})
