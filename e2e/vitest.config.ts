import { defineConfig } from 'vitest/config'

/** They judge moments, sound and moving pictures: one after the other, before whatever computes beside them. */
const MEASURING = [
  'connection-test-networks',
  'connection-test-measured',
  'inside-the-room',
  'recording',
].map((name) => `src/${name}.test.ts`)

const COMMON = {
  root: import.meta.dirname,
  globalSetup: 'src/harness/shared-services.ts',
  // The files of a worker share a service and a browser (harness/shared.ts).
  isolate: false,
  pool: 'forks',
  maxWorkers: 1,
  // Only a failing test waits this long.
  testTimeout: 900_000,
  hookTimeout: 600_000,
  // A run's report has only this line, so it must show the difference.
  chaiConfig: { truncateThreshold: 2_000 },
  expect: { poll: { timeout: 120_000 } },
} as const

export default defineConfig({
  test: {
    projects: [
      // They wait for the service most of the time, and leave the machine to a suite beside them.
      {
        test: {
          ...COMMON,
          name: 'waiting',
          include: ['src/**/*.test.ts'],
          exclude: MEASURING,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...COMMON, name: 'measuring', include: MEASURING } },
    ],
  },
})
