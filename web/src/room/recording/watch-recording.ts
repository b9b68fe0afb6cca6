import type { ShownRecording } from '@interview-room/contract/live-stream.ts'
import { isOngoing } from './recording-phase.ts'

/** What a page that stays open has learned of the recording. */
export interface Watched {
  recording: ShownRecording
  /** The room is certainly recorded by itself. */
  isAlways: boolean
  /** It ended while the page watched: as a moderator wanted it. One of an earlier visit tells nothing. */
  isStopWanted: boolean
}

/**
 * What is known with this recording. `isRecorded` of the entry is true of rooms recorded always and of
 * those recorded right now: with nothing ongoing at first sight it can only be the former.
 */
export function watchRecording(
  before: Watched | null,
  recording: ShownRecording,
  isRecorded: boolean,
): Watched {
  if (before === null) {
    return { recording, isAlways: isRecorded && !isOngoing(recording), isStopWanted: false }
  }
  if (before.recording === recording) return before
  const isSame = before.recording?.id === recording?.id
  const wasSeen = isSame && (isOngoing(before.recording) || before.isStopWanted)
  return { ...before, recording, isStopWanted: wasSeen && recording?.status === 'stopped' }
}
