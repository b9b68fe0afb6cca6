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
  // Nobody waits so long but a test that fails.
  testTimeout: 900_000,
  hookTimeout: 600_000,
  // The report of a run has this line alone, and it says what differs.
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
        },
      },
      { test: { ...COMMON, name: 'measuring', include: MEASURING } },
    ],
  },
})
