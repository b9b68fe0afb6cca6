import type { PlaygroundTestsDictionary } from './playground-tests-ja.ts'

export const playgroundTestsEn: PlaygroundTestsDictionary = {
  title: 'Connection tests',
  lead: 'Check a respondent’s devices and connection before the interview.',
  name: 'Respondent’s name',
  record: 'Record the test',
  start: 'Start a test',
  open: 'Open the test',
  opened: (name) => `Open the test of ${name}`,
  empty: 'No tests yet.',
  status: {
    pending: 'Not started',
    running: 'Running',
    completed: 'Completed',
    failed: 'Failed',
    expired: 'Expired',
  },
}
