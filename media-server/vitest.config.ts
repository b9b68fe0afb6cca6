import { defineConfig } from 'vitest/config'
import { filesLeftOut } from './test/test-scope.ts'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['{src,test/faulty-server}/**/*.test.ts'],
    exclude: filesLeftOut(process.env),
    // No file leaves anything behind in its process, and loading the modules costs more than most tests.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The report of a run has this line alone, and it says what differs.
    chaiConfig: { truncateThreshold: 2_000 },
  },
})
