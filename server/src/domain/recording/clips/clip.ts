import type { TrimCourse } from '../trims/trim-times.ts'

interface ClipBase {
  id: string
  tenantId: string
  recordingId: string
  /** Its position in the clock of its room. */
  seq: bigint
  title: string | null
  tags: string[]
  startSec: number
  endSec: number
  /** The viewer who made it; null for the tenant's backend. */
  viewerReference: string | null
  viewerName: string | null
  /** Number of attempts, and the start of the last one. */
  attempt: number
  attemptedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

interface PendingClip {
  status: 'pending'
  storageKey: null
  sizeBytes: null
  durationSec: null
  failureReason: null
}

interface FailedClip {
  status: 'failed'
  storageKey: null
  sizeBytes: null
  durationSec: null
  failureReason: string
}

interface MadeClip {
  status: 'available'
  storageKey: string
  sizeBytes: number
  durationSec: number
  failureReason: null
}

export type Clip = ClipBase & (PendingClip | FailedClip | MadeClip)

/** The storage key for an attempt's file. */
export function clipKeyOf(
  { tenantId, id }: Pick<Clip, 'tenantId' | 'id'>,
  attempt: number,
): string {
  return `${tenantId}/clips/${id}-${attempt}.mp4`
}

/** The progress of an unfinished clip. */
export function courseOf({ startSec, endSec, createdAt, attemptedAt }: Clip): TrimCourse {
  return { range: { startSec, endSec }, orderedAt: createdAt, begunAt: attemptedAt }
}
