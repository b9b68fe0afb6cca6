import type { TrimJob, TrimmedVideo } from '../../../platform/media-files/trim-video.ts'
import { isReady, type Recording } from '../recordings/recording.ts'

/** A range of a recording, in seconds from the start of its file. */
export interface TrimRange {
  startSec: number
  endSec: number
}

/** A trim as one attempt sees it. Its owner is a processed recording or a clip. */
export interface TrimAttempt {
  /** Identifies the trim in the log. */
  logged: Readonly<Record<string, string>>
  range: TrimRange
  orderedAt: Date
  /** 1, 2, ... A later attempt means that another worker has taken over. */
  attempt: number
  /** The storage key for this attempt's file. */
  storageKey: string
  roomId: string
  /** The recording's file; undefined when it no longer exists. */
  source: { key: string; durationSec: number } | undefined
  /** Makes the file in place of `trimVideo`. */
  cut?: (job: TrimJob & { ffmpeg: string }) => Promise<TrimmedVideo>
}

export interface TrimmedFile {
  storageKey: string
  sizeBytes: number
  durationSec: number
}

/** The owner of a trim: a processed recording or a clip. */
export interface TrimKey {
  id: string
  tenantId: string
  recordingId: string
}

/** Stores the progress of a trim for its owner. */
export interface TrimOwner<A extends TrimAttempt> {
  /** Begins another attempt. Returns undefined when the trim is no longer wanted. */
  begin(key: TrimKey): Promise<A | undefined>
  /** True while this is the latest attempt and the trim is unfinished. */
  isOpen(attempt: A): Promise<boolean>
  /** Notes the finished share of the file, at most once a second. */
  noteProgress?(attempt: A, percent: number): Promise<void>
  /** Returns false when another attempt, a delete or a deadline came first. */
  complete(attempt: A, file: TrimmedFile): Promise<boolean>
  /** Ends the trim without a file. Does nothing when another attempt, a delete or a deadline came first. */
  fail(attempt: A, failureReason: string): Promise<void>
}

/** The file to cut. Returns undefined for a recording without one. */
export function sourceOf(recording: Recording): TrimAttempt['source'] {
  if (!isReady(recording)) return undefined
  return { key: recording.storageKey, durationSec: recording.durationSec }
}
