import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { isOngoing, phaseOf } from './recording-phase.ts'

export type RecordingChange = 'started' | 'resumed' | 'paused' | 'stopped' | 'failed'

/** The change to announce; null if there is none. A recording has started once its file is being written. */
export function changeOf(before: ShownRecording, after: ShownRecording): RecordingChange | null {
  const known = before?.id === after?.id ? before : null
  const phase = phaseOf(after)
  if (after === null || phase === null || phase === 'starting' || phase === phaseOf(known)) {
    return null
  }
  if (phase === 'started') return hasBegun(known, after) ? 'resumed' : 'started'
  if (phase === 'paused') return 'paused'
  // A recording that ended before this page knew of it is not a change.
  return isOngoing(known) ? phase : null
}

function hasBegun(known: ShownRecording, after: NonNullable<ShownRecording>): boolean {
  return known?.status === 'paused' || (known !== null && after.recorded_sec > 0)
}
