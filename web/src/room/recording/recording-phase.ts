import type { ShownRecording } from '@interview-room/contract/live-stream.ts'

type Status = NonNullable<ShownRecording>['status']

/** How it stands with a recording: `starting` has been asked for, and nothing of it is written yet. */
export type RecordingPhase = Status | 'starting'

export function phaseOf(recording: ShownRecording): RecordingPhase | null {
  if (recording === null) return null
  const isStarting = recording.status === 'started' && recording.running_since === null
  return isStarting ? 'starting' : recording.status
}

/** It has begun and not ended: written, about to be, or paused. */
export function isOngoing(recording: ShownRecording): boolean {
  return recording?.status === 'started' || recording?.status === 'paused'
}
