import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { expect, test } from 'vitest'
import { changeOf } from './recording-change.ts'
import type { RecordingPhase } from './recording-phase.ts'

const SINCE = '2030-01-01T10:00:00Z'
const recording = (phase: RecordingPhase | null, id = 'one', recordedSec = 0): ShownRecording =>
  phase === null
    ? null
    : {
        id,
        status: phase === 'starting' ? 'started' : phase,
        started_at: SINCE,
        recorded_sec: recordedSec,
        running_since: phase === 'started' ? SINCE : null,
        is_end_wanted: false,
      }

test.each<[RecordingPhase | null, RecordingPhase | null, string | null]>([
  [null, null, null],
  [null, 'starting', null],
  [null, 'started', 'started'],
  [null, 'paused', 'paused'],
  [null, 'stopped', null],
  [null, 'failed', null],
  ['starting', 'started', 'started'],
  ['started', 'started', null],
  ['started', 'starting', null],
  ['started', 'paused', 'paused'],
  ['paused', 'starting', null],
  ['paused', 'started', 'resumed'],
  ['starting', 'stopped', 'stopped'],
  ['started', 'stopped', 'stopped'],
  ['paused', 'stopped', 'stopped'],
  ['starting', 'failed', 'failed'],
  ['started', 'failed', 'failed'],
  ['stopped', 'failed', null],
])('a change from %s to %s is announced as %s', (before, after, news) => {
  expect(changeOf(recording(before), recording(after))).toBe(news)
})

test('a recording that already has content has resumed if it is written again', () => {
  const resumed = changeOf(recording('starting', 'one', 5), recording('started', 'one', 5))
  expect(resumed).toBe('resumed')
})

test('a recording that follows another one has started', () => {
  expect(changeOf(recording('paused'), recording('started', 'two'))).toBe('started')
  expect(changeOf(recording('stopped'), recording('started', 'two'))).toBe('started')
})
