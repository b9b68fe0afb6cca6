import type { ShownRecording } from '@interview-room/contract/live-stream.ts'

/** A reason to believe that nothing is being recorded, and how long it may last before an alarm. */
export interface Doubt {
  kind: 'failed' | 'notWritten' | 'missing'
  graceMs: number
}

interface Facts {
  recording: ShownRecording
  /** The room is recorded by itself. */
  isRecorded: boolean
  /** Somebody has sent sound or a picture since the page came in. */
  hasHadMedia: boolean
}

const NOT_WRITTEN_GRACE_MS = 15_000
const MISSING_GRACE_MS = 60_000

/** Null while everything is as it should be; one that was stopped is as a moderator wants it. */
export function doubtOf({ recording, isRecorded, hasHadMedia }: Facts): Doubt | null {
  if (recording === null) {
    const isMissing = isRecorded && hasHadMedia
    return isMissing ? { kind: 'missing', graceMs: MISSING_GRACE_MS } : null
  }
  if (recording.status === 'failed') return { kind: 'failed', graceMs: 0 }
  const isUnwritten = recording.status === 'started' && recording.running_since === null
  return isUnwritten ? { kind: 'notWritten', graceMs: NOT_WRITTEN_GRACE_MS } : null
}
