import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { phaseOf } from './recording-phase.ts'
import type { WatchedRecording } from './watch-recording.ts'

/** A reason to believe that nothing is being recorded, and how long it may last before it raises an alarm. */
export interface Doubt {
  kind: 'failed' | 'notWritten' | 'missing' | 'interrupted' | 'paused'
  graceMs: number
}

interface Facts extends WatchedRecording {
  recording: ShownRecording
  /** Somebody has sent audio or video since the page entered. */
  hasHadMedia: boolean
}

const NOT_WRITTEN_GRACE_MS = 15_000
const MISSING_GRACE_MS = 60_000
/** A break is shorter. A longer pause may have been forgotten. */
const PAUSED_GRACE_MS = 5 * 60_000

/** Null while nothing is wrong. */
export function doubtOf({ recording, isAlways, hasRun, hasHadMedia }: Facts): Doubt | null {
  const phase = phaseOf(recording)
  if (phase === 'failed') return { kind: 'failed', graceMs: 0 }
  if (recording?.is_interrupted === true) return { kind: 'interrupted', graceMs: 0 }
  if (phase === 'paused') return { kind: 'paused', graceMs: PAUSED_GRACE_MS }
  if (phase === 'starting') return { kind: 'notWritten', graceMs: NOT_WRITTEN_GRACE_MS }
  if (!hasHadMedia || recording?.is_end_wanted === true) return null
  // The recording broke off, before or after the page entered. If the room is always recorded, the next one begins
  // soon.
  const hasEnded = hasRun || recording?.is_broken_off === true
  if (phase === 'stopped' && hasEnded) return { kind: 'failed', graceMs: MISSING_GRACE_MS }
  const hasNone = phase === null || phase === 'stopped'
  return hasNone && isAlways ? { kind: 'missing', graceMs: MISSING_GRACE_MS } : null
}
