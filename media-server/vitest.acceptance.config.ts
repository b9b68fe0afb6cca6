import { defineConfig } from 'vitest/config'
import { filesLeftOut } from './test/test-scope.ts'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/acceptance/**/*.test.ts'],
    exclude: filesLeftOut(process.env),
    globalSetup: ['test/acceptance/harness/global-setup.ts'],
    // The native client of the rtc-node tests does not live in worker threads.
    pool: 'forks',
    // A room of its own for every test: files share nothing but modules, which cost as much as their tests.
    isolate: false,
    maxWorkers: 2,
    // Several facts, each waited for on a busy machine; a test takes a few seconds.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // The report of a run has this line alone, and it says what differs.
    chaiConfig: { truncateThreshold: 2_000 },
  },
})
