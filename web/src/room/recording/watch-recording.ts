import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { isOngoing } from './recording-phase.ts'

/** Facts about the recording that an open page has observed. */
export interface WatchedRecording {
  /** The room is certainly recorded automatically. */
  isAlways: boolean
  /** The room was recorded at some time while the page was open. */
  hasRun: boolean
}

/**
 * Updates the facts for a change of the recording. `isRecorded` of the entry is true for rooms that are always
 * recorded and for rooms that are recorded right now. If no recording is ongoing at first sight, the room must be one
 * of the former.
 */
export function watchRecording(
  before: WatchedRecording | null,
  recording: ShownRecording,
  isRecorded: boolean,
): WatchedRecording {
  const isRunning = isOngoing(recording)
  if (before === null) return { isAlways: isRecorded && !isRunning, hasRun: isRunning }
  return before.hasRun || !isRunning ? before : { ...before, hasRun: true }
}
