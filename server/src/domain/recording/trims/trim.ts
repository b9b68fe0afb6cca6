import { isReady, type Recording } from '../recordings/recording.ts'

/** A range of a recording, in seconds from the start of its file. */
export interface TrimRange {
  startSec: number
  endSec: number
}

/** A trim as an attempt at it sees it, of whatever needs the file: a processed recording or a clip. */
export interface TrimAttempt {
  /** Names it in the log. */
  logged: Readonly<Record<string, string>>
  range: TrimRange
  orderedAt: Date
  /** 1, 2, ... The worker of a later attempt has taken it over. */
  attempt: number
  /** Where this attempt puts its file. */
  storageKey: string
  roomId: string
  /** The recording's file; undefined when it is gone. */
  source: { key: string; durationSec: number } | undefined
}

export interface TrimmedFile {
  storageKey: string
  sizeBytes: number
  durationSec: number
}

/** What owns a trim, by the id of the owner. */
export interface TrimKey {
  id: string
  tenantId: string
  recordingId: string
}

/** What the owner of trims stores of their course. */
export interface TrimOwner<A extends TrimAttempt> {
  /** Begins another attempt; undefined when the trim is no longer wanted. */
  begin(key: TrimKey): Promise<A | undefined>
  /** Whether this attempt is the last one, of a trim that is still worked at. */
  isOpen(attempt: A): Promise<boolean>
  /** False when another attempt, a delete or a deadline came first. */
  complete(attempt: A, file: TrimmedFile): Promise<boolean>
  /** Ends the trim without a file; nothing when another attempt, a delete or a deadline came first. */
  fail(attempt: A, failureReason: string): Promise<void>
}

/** The file that is cut; undefined of a recording that has none. */
export function sourceOf(recording: Recording): TrimAttempt['source'] {
  if (!isReady(recording)) return undefined
  return { key: recording.storageKey, durationSec: recording.durationSec }
}
