import type { ShownRecording } from '@interview-room/contract/live-stream.ts'

/** The result of a recording that has ended. */
export type RecordingOutcome =
  /** `availableAt` is the expected time of availability; null if it is unknown. */
  | { kind: 'making'; percent: number | null; availableAt: string | null }
  | { kind: 'available' }
  | { kind: 'incomplete'; missingSec: number }

/** Null while the recording runs, and while nothing is known about its file. */
export function outcomeOf(recording: ShownRecording): RecordingOutcome | null {
  if (recording?.status !== 'stopped') return null
  const { is_available, missing_sec, composed_percent, estimated_available_at } = recording
  if (is_available === true) {
    const missingSec = missing_sec ?? 0
    return missingSec > 0 ? { kind: 'incomplete', missingSec } : { kind: 'available' }
  }
  const percent = composed_percent ?? null
  const availableAt = estimated_available_at ?? null
  return percent === null && availableAt === null ? null : { kind: 'making', percent, availableAt }
}
