import type { PlaygroundTestsDictionary } from './playground-tests-ja.ts'

export const playgroundTestsEn: PlaygroundTestsDictionary = {
  title: 'Connection tests',
  lead: 'Before the interview: the devices and the line of a respondent.',
  name: 'Name of the respondent',
  record: 'Record the test',
  start: 'Start a test',
  open: 'Open the test',
  opened: (name) => `Open the test of ${name}`,
  empty: 'No tests yet.',
  status: {
    pending: 'Not begun',
    running: 'Running',
    completed: 'Completed',
    failed: 'Failed',
    expired: 'Expired',
  },
}
