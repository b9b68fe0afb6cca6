import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { isOngoing, phaseOf } from './recording-phase.ts'

export type RecordingNews = 'started' | 'resumed' | 'paused' | 'stopped' | 'failed'

/** What to tell of a change; null when there is nothing new. It has started when it is being written. */
export function newsOf(before: ShownRecording, after: ShownRecording): RecordingNews | null {
  const known = before?.id === after?.id ? before : null
  const phase = phaseOf(after)
  if (after === null || phase === null || phase === 'starting' || phase === phaseOf(known)) {
    return null
  }
  if (phase === 'started') return hasBegun(known, after) ? 'resumed' : 'started'
  if (phase === 'paused') return 'paused'
  // One that had ended before this page knew of it is no news.
  return isOngoing(known) ? phase : null
}

function hasBegun(known: ShownRecording, after: NonNullable<ShownRecording>): boolean {
  return known?.status === 'paused' || (known !== null && after.recorded_sec > 0)
}
