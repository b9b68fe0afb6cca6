import type { ReelCaptions } from '@interview-room/contract/reels.ts'
import type { TrimCourse } from '../trims/trim-times.ts'

/** The contents of a reel: the ranges of its clips when it was made, whatever becomes of the clips. */
export interface ReelPlan {
  captions: ReelCaptions
  titleCard: string | null
  parts: { clipId: string; recordingId: string; startSec: number; endSec: number }[]
}

interface ClipBase {
  id: string
  tenantId: string
  recordingId: string
  /** Its position in the clock of its room. */
  seq: bigint
  title: string | null
  tags: string[]
  /** The range in the recording; of a reel from zero to its length. */
  startSec: number
  endSec: number
  /** Null unless it is a reel. */
  roomId: string | null
  reel: ReelPlan | null
  /** The name that is drawn over the picture. */
  watermark: string | null
  /** The viewer who made it; null for the tenant's backend. */
  viewerReference: string | null
  viewerName: string | null
  /** Number of attempts, and the start of the last one. */
  attempt: number
  attemptedAt: Date | null
  /** The finished share of the file; null unless an attempt is made. */
  progressPercent: number | null
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

/** A clip of several parts. */
export type Reel = Clip & { roomId: string; reel: ReelPlan }

/** The recordings that a clip or a reel shows. */
export function recordingIdsOf({
  recordingId,
  reel,
}: Pick<Clip, 'recordingId' | 'reel'>): string[] {
  return [...new Set([recordingId, ...(reel?.parts ?? []).map((part) => part.recordingId)])]
}

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
