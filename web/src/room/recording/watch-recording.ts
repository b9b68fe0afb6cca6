import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { isOngoing } from './recording-phase.ts'

/** What a page that stays open has learned of the recording. */
export interface WatchedRecording {
  /** The room is certainly recorded automatically. */
  isAlways: boolean
  /** It was recorded while the page watched. */
  hasRun: boolean
}

/**
 * What is known with this recording. `isRecorded` of the entry is true of rooms recorded always and of
 * those recorded right now: with nothing ongoing at first sight it can only be the former.
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
