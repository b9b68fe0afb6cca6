import type { DeviceFacts } from '@interview-room/contract/connection-tests.ts'
import type { ConnectionTestFailure, DeviceResult } from '@interview-room/contract/vocabulary.ts'
import type { Check } from '../devices/device-check.ts'
import type { DeviceProblem } from '../devices/device-problem.ts'

const RESULTS: Record<DeviceProblem, DeviceResult> = {
  denied: 'denied',
  'not-found': 'not_found',
  busy: 'in_use',
  failed: 'failed',
  blur: 'failed',
}

export interface CheckedDevices {
  camera: Check
  microphone: Check
  speaker: DeviceFacts['speaker']
}

/** Translates the device check into the words of the contract. */
export function deviceFactsOf({ camera, microphone, speaker }: CheckedDevices): DeviceFacts {
  return { camera: resultOf(camera), microphone: resultOf(microphone), speaker }
}

/**
 * The reason why the test cannot continue without these devices, if there is one. The microphone takes precedence.
 */
export function failureOf({
  camera,
  microphone,
}: Omit<CheckedDevices, 'speaker'>): ConnectionTestFailure | null {
  for (const check of [microphone, camera]) {
    if (check.status === 'failed') {
      return check.problem === 'denied' ? 'permission_denied' : 'no_device'
    }
  }
  return null
}

function resultOf(check: Check): DeviceResult {
  if (check.status === 'ready') return 'ok'
  return check.status === 'failed' ? RESULTS[check.problem] : 'not_tested'
}
