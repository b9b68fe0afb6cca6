import type { ShownRecording } from '@interview-room/contract/live-stream.ts'

type Status = NonNullable<ShownRecording>['status']

/** The phase of a recording. `starting`: it was requested, and nothing is written yet. */
export type RecordingPhase = Status | 'starting'

export function phaseOf(recording: ShownRecording): RecordingPhase | null {
  if (recording === null) return null
  const isStarting = recording.status === 'started' && recording.running_since === null
  return isStarting ? 'starting' : recording.status
}

/** True from the request to the end: starting, being written, or paused. */
export function isOngoing(recording: ShownRecording): boolean {
  return recording?.status === 'started' || recording?.status === 'paused'
}
