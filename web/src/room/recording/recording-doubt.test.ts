import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { expect, test } from 'vitest'
import { doubtOf } from './recording-doubt.ts'

type Status = NonNullable<ShownRecording>['status']
const SINCE = '2030-01-01T10:00:00Z'
const recording = (status: Status, runningSince: string | null = null): ShownRecording => ({
  id: 'one',
  status,
  started_at: SINCE,
  recorded_sec: 0,
  running_since: runningSince,
})
const HELD = { isRecorded: true, hasHadMedia: true }

test.each<[string, ShownRecording]>([
  ['runs and is being written', recording('started', SINCE)],
  ['is paused', recording('paused')],
  ['was stopped', recording('stopped')],
])('a recording that %s is no reason for an alarm', (_what, shown) => {
  expect(doubtOf({ ...HELD, recording: shown })).toBeNull()
})

test('a failed recording alarms at once', () => {
  expect(doubtOf({ ...HELD, recording: recording('failed') })).toEqual({
    kind: 'failed',
    graceMs: 0,
  })
})

test('a recording that is started and not written alarms after 15 s', () => {
  expect(doubtOf({ ...HELD, recording: recording('started') })).toEqual({
    kind: 'notWritten',
    graceMs: 15_000,
  })
})

test('a room that is always recorded and has no recording alarms 60 s after the first media', () => {
  expect(doubtOf({ ...HELD, recording: null })).toEqual({ kind: 'missing', graceMs: 60_000 })
})

test('no recording is no alarm in a room recorded by hand, nor before the first media', () => {
  expect(doubtOf({ ...HELD, isRecorded: false, recording: null })).toBeNull()
  expect(doubtOf({ ...HELD, hasHadMedia: false, recording: null })).toBeNull()
})
