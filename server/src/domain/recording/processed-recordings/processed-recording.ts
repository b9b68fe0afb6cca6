import type { ProcessedSource, ProcessedStatus } from '@interview-room/contract/vocabulary.ts'
import type { Upload } from '../../../platform/storage/discard-upload.ts'
import type { TrimCourse } from '../trims/trim-times.ts'

interface ProcessedBase {
  id: string
  tenantId: string
  recordingId: string
  /** Incremented by every change of the status. */
  version: number
  failureReason: string | null
  /** For a trim: number of attempts, and the start of the last one. */
  attempt: number
  attemptedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

interface TrimRange {
  source: 'trim'
  trimStartSec: number
  trimEndSec: number
  uploadKey: null
  uploadExpiresAt: null
}

interface ManualUpload extends Upload {
  source: 'upload'
  trimStartSec: null
  trimEndSec: null
}

interface UnfinishedFile {
  status: 'pending' | 'processing' | 'failed'
  storageKey: string | null
  sizeBytes: number | null
  durationSec: number | null
}

interface AvailableFile {
  status: 'available'
  storageKey: string
  sizeBytes: number
  /** The tenant's value for an upload; null if it gave none. */
  durationSec: number | null
}

export type ProcessedRecording = ProcessedBase &
  (TrimRange | ManualUpload) &
  (UnfinishedFile | AvailableFile)

export type ProcessedTrim = ProcessedRecording & TrimRange

export type ProcessedUpload = ProcessedRecording & ManualUpload

/** The states from which each state can be entered, by source. */
export const PROCESSED_ENTERED_FROM = {
  trim: {
    pending: [],
    processing: ['pending'],
    available: ['processing'],
    failed: ['pending', 'processing'],
  },
  upload: { pending: [], processing: [], available: ['pending'], failed: [] },
} as const satisfies Record<ProcessedSource, Record<ProcessedStatus, readonly ProcessedStatus[]>>

/** The storage key for an attempt's file. */
export function trimKeyOf(
  { tenantId, id }: Pick<ProcessedTrim, 'tenantId' | 'id'>,
  attempt: number,
): string {
  return `${tenantId}/processed-recordings/${id}-${attempt}.mp4`
}

/** The progress of a trim. */
export function courseOf(trim: ProcessedTrim): TrimCourse {
  const { status, trimStartSec, trimEndSec, createdAt, attemptedAt, updatedAt } = trim
  return {
    range: { startSec: trimStartSec, endSec: trimEndSec },
    orderedAt: createdAt,
    begunAt: status === 'pending' ? null : (attemptedAt ?? updatedAt),
  }
}

/** True if the trim is pending or processing. */
export function isTrimWanted(processed: ProcessedRecording): processed is ProcessedTrim {
  const isOpen = processed.status === 'pending' || processed.status === 'processing'
  return processed.source === 'trim' && isOpen
}

/** Only a pending upload waits for its completion. */
export function isCompletable(processed: ProcessedRecording): processed is ProcessedUpload {
  return processed.source === 'upload' && processed.status === 'pending'
}
