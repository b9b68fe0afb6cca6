import { expect, test } from 'vitest'
import { estimatedAvailableAt } from './recording.ts'

const at = (sec: number) => new Date(Date.UTC(2026, 5, 1) + sec * 1000)
const HALF = {
  status: 'stopped',
  composingSince: at(0),
  composedPercent: 50,
  composedAt: at(30),
} as const

test.each([
  ['continues at its pace', HALF, at(60)],
  ['is at its end', { ...HALF, composedPercent: 100 }, at(30)],
  ['has only begun', { ...HALF, composedPercent: 4 }, null],
  [
    'has not begun',
    { ...HALF, composingSince: null, composedPercent: null, composedAt: null },
    null,
  ],
  ['is done', { ...HALF, status: 'uploaded' as const }, null],
])('when the file of a recording that %s will be there', (_name, recording, expected) => {
  expect(estimatedAvailableAt(recording)).toEqual(expected)
})
