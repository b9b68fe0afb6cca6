import { expect, test } from 'vitest'
import type { Check } from '../devices/device-check.ts'
import type { DeviceProblem } from '../devices/device-problem.ts'
import { deviceFactsOf, failureOf } from './device-results.ts'

const READY: Check = { status: 'ready', track: {} as MediaStreamTrack }
const failed = (problem: DeviceProblem): Check => ({ status: 'failed', problem })

test.each([
  [READY, 'ok'],
  [failed('denied'), 'denied'],
  [failed('not-found'), 'not_found'],
  [failed('busy'), 'in_use'],
  [failed('failed'), 'failed'],
  [{ status: 'off' } as const, 'not_tested'],
  [{ status: 'asking' } as const, 'not_tested'],
])('a camera that is %j is reported as %s', (camera, reported) => {
  expect(deviceFactsOf({ camera, microphone: READY, speaker: 'ok' })).toEqual({
    camera: reported,
    microphone: 'ok',
    speaker: 'ok',
  })
})

test.each([
  { camera: failed('denied'), microphone: failed('denied'), reason: 'permission_denied' },
  { camera: READY, microphone: failed('not-found'), reason: 'no_device' },
  { camera: READY, microphone: failed('busy'), reason: 'no_device' },
  { camera: failed('denied'), microphone: READY, reason: 'permission_denied' },
  { camera: failed('not-found'), microphone: READY, reason: 'no_device' },
  { camera: READY, microphone: READY, reason: null },
])('a test that is ended at %j has that reason', ({ camera, microphone, reason }) => {
  expect(failureOf({ camera, microphone })).toBe(reason)
})
