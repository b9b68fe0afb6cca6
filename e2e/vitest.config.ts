import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/harness/shared-services.ts'],
    // The files of a worker share a service and a browser (harness/shared.ts).
    isolate: false,
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
})
