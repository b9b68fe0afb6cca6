import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    setupFiles: ['src/testing/check-answers.ts'],
    // Files have a database each and share nothing but modules, which a worker loads once.
    isolate: false,
    maxWorkers: 2,
    // Far above what any test takes: a busy machine is no failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The report of a run has this line alone, and it says what differs.
    chaiConfig: { truncateThreshold: 2_000 },
    expect: { poll: { timeout: 120_000 } },
  },
})
