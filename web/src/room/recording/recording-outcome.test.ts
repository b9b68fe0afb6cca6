import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { expect, test } from 'vitest'
import { outcomeOf } from './recording-outcome.ts'

const STOPPED: NonNullable<ShownRecording> = {
  id: 'one',
  status: 'stopped',
  started_at: '2030-01-01T10:00:00Z',
  recorded_sec: 0,
  running_since: null,
  is_end_wanted: true,
}
const SOON = '2030-01-01T11:00:00Z'
const MAKING = { kind: 'making', percent: null, availableAt: null }

test.each<[string, Partial<typeof STOPPED>, object | null]>([
  ['runs: nothing', { status: 'started' }, null],
  ['has ended, and nothing is known: nothing', {}, null],
  [
    'waits: when it is likely to be there',
    { estimated_available_at: SOON },
    { ...MAKING, availableAt: SOON },
  ],
  ['is composed: how far', { composed_percent: 40 }, { ...MAKING, percent: 40 }],
  ['is there', { is_available: true, composed_percent: null }, { kind: 'available' }],
  [
    'is there, and lacks something',
    { is_available: true, missing_sec: 12.4 },
    { kind: 'incomplete', missingSec: 12.4 },
  ],
])('shows the result of a recording that %s', (_, change, outcome) => {
  expect(outcomeOf({ ...STOPPED, ...change })).toEqual(outcome)
})
