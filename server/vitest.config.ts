import { defineConfig } from 'vitest/config'

/** They send and record media, which need their moment: they run before whatever computes beside them. */
const OF_MEDIA = ['src/doctor/doctor.test.ts', 'src/diagnosis/probe-media.test.ts']

const COMMON = {
  root: import.meta.dirname,
  globalSetup: ['src/testing/global-setup.ts'],
  setupFiles: ['src/testing/check-answers.ts'],
  // Files have a database each and share nothing but modules, which a worker loads once.
  isolate: false,
  // Far above what any test takes: a busy machine is no failure.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // The report of a run has this line alone, and it says what differs.
  chaiConfig: { truncateThreshold: 2_000 },
  expect: { poll: { timeout: 120_000 } },
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...COMMON,
          name: 'computing',
          include: ['src/**/*.test.ts'],
          exclude: OF_MEDIA,
          maxWorkers: 2,
        },
      },
      // Run together, the projects need an order, because their numbers of workers differ.
      {
        test: {
          ...COMMON,
          name: 'media',
          include: OF_MEDIA,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
