import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { expect, test } from 'vitest'
import { recordedSec, remainingSec } from './recording-time.ts'

const NOW = Date.parse('2030-01-01T10:01:00Z')
const recording = (seconds: number, runningSince: string | null): NonNullable<ShownRecording> => ({
  id: 'one',
  status: 'started',
  started_at: '2030-01-01T10:00:00Z',
  recorded_sec: seconds,
  running_since: runningSince,
  is_end_wanted: false,
})

test('the times of earlier segments and of the running one add up', () => {
  expect(recordedSec(recording(12.5, '2030-01-01T10:00:50Z'), NOW)).toBe(22)
})

test('the time stands still while nothing is written', () => {
  expect(recordedSec(recording(12.5, null), NOW)).toBe(12)
})

test('a slow clock subtracts nothing', () => {
  expect(recordedSec(recording(12, '2030-01-01T10:01:05Z'), NOW)).toBe(12)
})

test('the remaining time of the slot counts down to zero and stays there', () => {
  expect(remainingSec(NOW + 1_500, NOW)).toBe(2)
  expect(remainingSec(NOW - 1_500, NOW)).toBe(0)
})
