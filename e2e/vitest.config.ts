import { defineConfig } from 'vitest/config'

/** They wait for the service most of the time, and leave the machine to a suite beside them. */
const WAITING = [
  'attendance',
  'crash',
  'engines-at-start',
  'playground-recordings',
  'recording-controls',
  'recording-crash',
  'recording-faults',
  'recording-s3',
  'refusals',
  'second-tab',
  'spoken-words',
  'transcription',
  'transcription-crash',
].map((name) => `src/${name}.test.ts`)

const COMMON = {
  root: import.meta.dirname,
  globalSetup: 'src/harness/shared-services.ts',
  // The files of a worker share a service and a browser (harness/shared.ts).
  isolate: false,
  pool: 'forks',
  testTimeout: 180_000,
  hookTimeout: 240_000,
} as const

export default defineConfig({
  test: {
    projects: [
      { test: { ...COMMON, name: 'waiting', include: WAITING, maxWorkers: 1 } },
      {
        test: {
          ...COMMON,
          name: 'painting',
          include: ['src/**/*.test.ts'],
          exclude: WAITING,
          // Two side by side want more than two cores, and then a second is no second any more.
          maxWorkers: 1,
        },
      },
    ],
  },
})
