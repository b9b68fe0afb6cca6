import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { expect, test } from 'vitest'
import { type WatchedRecording, watchRecording } from './watch-recording.ts'

type Status = NonNullable<ShownRecording>['status']
const recording = (status: Status, id = 'one'): ShownRecording => ({
  id,
  status,
  started_at: '2030-01-01T10:00:00Z',
  recorded_sec: 0,
  running_since: null,
  is_end_wanted: false,
})
const watch = (shown: readonly ShownRecording[], isRecorded = true): WatchedRecording | null =>
  shown.reduce<WatchedRecording | null>(
    (before, each) => watchRecording(before, each, isRecorded),
    null,
  )

test.each<[string, ShownRecording, boolean]>([
  ['recorded, without a recording: always', null, true],
  ['recorded, with an ended recording of an earlier visit: always', recording('stopped'), true],
  ['recorded, with a failed recording of an earlier visit: always', recording('failed'), true],
  ['recorded, with a running recording: perhaps manually', recording('started'), false],
  ['recorded, with a paused recording: perhaps manually', recording('paused'), false],
])('a room is %s', (_what, first, isAlways) => {
  expect(watch([first])?.isAlways).toBe(isAlways)
  expect(watch([first], false)?.isAlways).toBe(false)
})

test('facts from the first snapshot stay known', () => {
  expect(watch([null, recording('started')])?.isAlways).toBe(true)
  expect(watch([recording('started'), recording('stopped')])?.isAlways).toBe(false)
})

test('a recording that the page has seen stays known', () => {
  expect(watch([null])?.hasRun).toBe(false)
  expect(watch([recording('stopped')])?.hasRun).toBe(false)
  expect(watch([recording('paused')])?.hasRun).toBe(true)
  expect(watch([null, recording('started'), recording('stopped')])?.hasRun).toBe(true)
})
