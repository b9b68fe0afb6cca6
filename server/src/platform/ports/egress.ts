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
}

export interface EgressSpec {
  mediaRoom: string
  /** One person alone; everybody together, side by side, when undefined. */
  identity: string | undefined
  width: number
  height: number
  /** Frames per second. */
  frameRate: number
  videoKbps: number
  output: EgressOutput
}
