import type { EgressOutput } from './storage.ts'

/** State of a file that the provider writes. The last four are final. */
export type EgressStatus =
  | 'starting'
  | 'active'
  | 'ending'
  | 'complete'
  | 'limit_reached'
  | 'failed'
  | 'aborted'

/** A track of a running egress of which nothing comes although it is switched on. */
export interface TrackLack {
  /** The person's media identity. */
  identity: string
  track: 'camera' | 'microphone' | 'screen' | 'screen-sound'
  reason: 'no_media' | 'encrypted' | 'codec_unsupported'
  /** By the provider's clock. */
  since: Date
}

/** A file that is being written out of a media room, as the provider reports it. */
export interface Egress {
  egressId: string
  /** The media room's name: the id of the room. */
  mediaRoom: string
  status: EgressStatus
  /** The requested output path. It identifies an egress whose answer was lost. */
  outputPath: string | null
  /** The time from which media is written. */
  startedAt: Date | null
  endedAt: Date | null
  /** The time of the provider's last report about its work, by its own clock. */
  updatedAt: Date | null
  /** The written file; null if there is none, or not yet. */
  file: { sizeBytes: number; durationSec: number } | null
  /** Bytes written so far while it is active; null if the provider does not report them. */
  writtenBytes: number | null
  /** Only our own recorder reports them. */
  lacks: readonly TrackLack[]
  /** The storage's last answer to our recorder while it refuses what is recorded, such as `AccessDenied (403)`. */
  refusal?: string
  /** It failed while the file was uploaded to the storage. */
  hasUploadFailed: boolean
  /**
   * The recorder failed, but kept the part that it had written. Nobody had stopped the egress, and the media room is still there.
   */
  hasRecorderFailed: boolean
}

/** The report of a recorder on an egress that it writes. */
export type RunningEgress = Pick<Egress, 'writtenBytes' | 'lacks'>

/** The recorder of an egress, if it is known. */
export interface EgressOwner {
  egressId: string
  /** The name as in `recordersInTurn`; null for an egress that was ordered before recorders were noted. */
  recorder: string | null
}

/** The recorders' lists of a media room. */
export interface EgressList {
  egresses: readonly ListedEgress[]
  /** The requested recorders that did not answer, so that it is unknown what they write. */
  silent: ReadonlySet<string | null>
}

export interface ListedEgress extends Egress {
  recorder: string
}

/** A recorder's answer to the order of an egress. */
export interface StartedEgress extends Egress {
  /** The lead of the recorder's clock, in milliseconds; null if it names no time. */
  clockOffsetMs: number | null
}

export interface EgressSpec {
  mediaRoom: string
  /** The recorder that is to write it: one of `recordersInTurn`. */
  recorder: string
  /** The only person to record. If undefined, everybody is recorded together, side by side. */
  identity: string | undefined
  width: number
  height: number
  /** Frames per second. */
  frameRate: number
  videoKbps: number
  output: EgressOutput
}
