import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { expect, test } from 'vitest'
import { newsOf } from './recording-news.ts'

type Status = NonNullable<ShownRecording>['status']
const recording = (status: Status | null, id = 'one'): ShownRecording =>
  status === null
    ? null
    : { id, status, started_at: '2030-01-01T10:00:00Z', recorded_sec: 0, running_since: null }

test.each<[Status | null, Status | null, string | null]>([
  [null, null, null],
  [null, 'started', 'started'],
  [null, 'paused', 'paused'],
  [null, 'stopped', null],
  [null, 'failed', null],
  ['started', 'started', null],
  ['started', 'paused', 'paused'],
  ['paused', 'started', 'resumed'],
  ['started', 'stopped', 'stopped'],
  ['paused', 'stopped', 'stopped'],
  ['started', 'failed', 'failed'],
  ['stopped', 'failed', null],
])('from %s to %s the news is %s', (before, after, news) => {
  expect(newsOf(recording(before), recording(after))).toBe(news)
})

test('a recording that follows another one has started', () => {
  expect(newsOf(recording('paused'), recording('started', 'two'))).toBe('started')
  expect(newsOf(recording('stopped'), recording('started', 'two'))).toBe('started')
})
