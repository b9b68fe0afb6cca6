import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { expect, test } from 'vitest'
import { doubtOf } from './recording-doubt.ts'

type Status = NonNullable<ShownRecording>['status']
const SINCE = '2030-01-01T10:00:00Z'
const MISSING = { kind: 'missing', graceMs: 60_000 }
const recording = (status: Status, runningSince: string | null = null): ShownRecording => ({
  id: 'one',
  status,
  started_at: SINCE,
  recorded_sec: 0,
  running_since: runningSince,
  is_end_wanted: false,
})
const HELD = { isAlways: true, hasRun: false, hasHadMedia: true }

test('a recording that runs and is being written raises no alarm', () => {
  expect(doubtOf({ ...HELD, recording: recording('started', SINCE) })).toBeNull()
})

test('a pause alarms after five minutes', () => {
  const doubt = doubtOf({ ...HELD, recording: recording('paused') })
  expect(doubt).toEqual({ kind: 'paused', graceMs: 300_000 })
})

test('a recording that a moderator has ended raises no alarm', () => {
  const ended = { ...(recording('stopped') as NonNullable<ShownRecording>), is_end_wanted: true }
  expect(doubtOf({ ...HELD, hasRun: true, recording: ended })).toBeNull()
})

test('a recording that ended otherwise alarms if it failed, or if none has begun since the page entered', () => {
  const ended = { ...HELD, recording: recording('stopped') }
  expect(doubtOf(ended)).toEqual(MISSING)
  const brokenOff = { kind: 'failed', graceMs: 60_000 }
  expect(doubtOf({ ...ended, isAlways: false, hasRun: true })).toEqual(brokenOff)
  expect(doubtOf({ ...ended, isAlways: false })).toBeNull()
})

test('a recording that ended without a moderator alarms, also on a page that did not see it run', () => {
  const stopped = recording('stopped') as NonNullable<ShownRecording>
  const reloaded = { ...HELD, isAlways: false, hasRun: false }
  const brokenOff = { ...stopped, is_broken_off: true }
  expect(doubtOf({ ...reloaded, recording: brokenOff })).toEqual({
    kind: 'failed',
    graceMs: 60_000,
  })
  expect(doubtOf({ ...reloaded, recording: { ...stopped, is_broken_off: false } })).toBeNull()
  expect(doubtOf({ ...reloaded, hasHadMedia: false, recording: brokenOff })).toBeNull()
})

test('a failed recording alarms immediately', () => {
  const doubt = doubtOf({ ...HELD, recording: recording('failed') })
  expect(doubt).toEqual({ kind: 'failed', graceMs: 0 })
})

test('a recording whose recorder failed alarms immediately', () => {
  const paused = recording('paused') as NonNullable<ShownRecording>
  const doubt = doubtOf({ ...HELD, recording: { ...paused, is_interrupted: true } })
  expect(doubt).toEqual({ kind: 'interrupted', graceMs: 0 })
})

test('a recording that was requested but is not written alarms after 15 s', () => {
  const doubt = doubtOf({ ...HELD, recording: recording('started') })
  expect(doubt).toEqual({ kind: 'notWritten', graceMs: 15_000 })
})

test('a room that is always recorded and has no recording alarms 60 s after the first media', () => {
  expect(doubtOf({ ...HELD, recording: null })).toEqual(MISSING)
})

test('no recording raises no alarm in a room recorded manually, nor before the first media', () => {
  expect(doubtOf({ ...HELD, isAlways: false, recording: null })).toBeNull()
  expect(doubtOf({ ...HELD, hasHadMedia: false, recording: null })).toBeNull()
})
