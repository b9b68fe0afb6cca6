import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts'],
    // One service, one browser and two cores: side by side the suites would only wait for each other.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
})
