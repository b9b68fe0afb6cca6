import type { EgressOutput } from './storage.ts'

/** How far the provider is with writing a file. The last four are for good. */
export type EgressStatus =
  | 'starting'
  | 'active'
  | 'ending'
  | 'complete'
  | 'limit_reached'
  | 'failed'
  | 'aborted'

/** A file that is being written out of a media room, as the provider reports it. */
export interface Egress {
  egressId: string
  /** The media room's name: the id of the room. */
  mediaRoom: string
  status: EgressStatus
  /** Where it was asked to write: this identifies an egress whose answer got lost. */
  outputPath: string | null
  /** Since when media is written. */
  startedAt: Date | null
  endedAt: Date | null
  /** When the provider last said that it works on it, by its own clock. */
  updatedAt: Date | null
  /** What was written; null when nothing was, or not yet. */
  file: { sizeBytes: number; durationSec: number } | null
  /** While it is active, how much it has written so far; null where the provider does not report it. */
  writtenBytes: number | null
  /** It failed when the file was to be brought to the storage. */
  hasUploadFailed: boolean
  /** What wrote it failed, and has kept what it had: nobody asked for the end, and the media room is still there. */
  hasRecorderFailed: boolean
}

/** Who writes an egress, where that is known. */
export interface EgressOwner {
  egressId: string
  /** As `recordersInTurn` named it; null for one that was ordered before recorders were noted. */
  recorder: string | null
}

/** What recorders list of a media room. */
export interface EgressList {
  egresses: readonly ListedEgress[]
  /** Of the recorders that were asked for, those of which it is not known what they write. */
  silent: ReadonlySet<string | null>
}

export interface ListedEgress extends Egress {
  recorder: string
}

export interface EgressSpec {
  mediaRoom: string
  /** Who is to write it: one of `recordersInTurn`. */
  recorder: string
  /** One person alone; everybody together, side by side, when undefined. */
  identity: string | undefined
  width: number
  height: number
  /** Frames per second. */
  frameRate: number
  videoKbps: number
  output: EgressOutput
}
