import type {
  ArchiveResolution,
  OutputMode,
  RecordingStatus,
} from '@interview-room/contract/vocabulary.ts'

export interface Recording {
  id: string
  tenantId: string
  roomId: string
  seq: bigint
  providerArchiveId: string
  status: RecordingStatus
  /** Incremented by every change of the status. */
  version: number
  outputMode: OutputMode
  /** The file, which may still be on the way, or may never come. Its facts are final from `uploaded` on. */
  storageKey: string | null
  sizeBytes: number | null
  durationSec: number | null
  /** Start of its composition; null before it. */
  composingSince: Date | null
  /** Progress of the composition, and the time of that progress. */
  composedPercent: number | null
  composedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** Downloads, processed recordings and transcriptions need a recording in this state. */
export interface ReadyRecording extends Recording {
  status: 'available'
  storageKey: string
  sizeBytes: number
  durationSec: number
}

export interface RecordingKey {
  tenantId: string
  recordingId: string
}

/**
 * The reason why a recording ended. `consent_refused`: somebody inside declined or withdrew consent. `provider`: its egress
 * ended without a request.
 */
export type StopReason =
  | 'moderator'
  | 'consent_refused'
  | 'everybody_left'
  | 'room_closed'
  | 'window_ended'
  | 'provider'

/** How long an empty room waits for a person to reconnect, before the recording stops or a broken one counts as over. */
export const EMPTY_MAX_MS = 60_000
/** Largest number of automatic resumes of one recording after its recorder died, failed ones included. */
export const RESTARTS_MAX = 5

/** The states from which each state can be entered. Any other transition changes nothing. */
export const RECORDING_ENTERED_FROM = {
  started: ['paused'],
  paused: ['started'],
  stopped: ['started', 'paused'],
  uploaded: ['started', 'paused', 'stopped'],
  available: ['uploaded'],
  expired: ['available'],
  failed: ['started', 'paused', 'stopped', 'uploaded'],
} as const satisfies Record<RecordingStatus, readonly RecordingStatus[]>

export function isReady(recording: Recording): recording is ReadyRecording {
  return recording.status === 'available'
}

export function isRunning({ status }: Pick<Recording, 'status'>): boolean {
  return status === 'started' || status === 'paused'
}

/** The file type of a recording: one video, or an archive with one per participant. */
export function fileTypeOf(outputMode: OutputMode): { extension: string; mime: string } {
  return outputMode === 'composed'
    ? { extension: 'mp4', mime: 'video/mp4' }
    : { extension: 'zip', mime: 'application/zip' }
}

/** Bit rate for a picture of this size, in kbit/s. */
const VIDEO_KBPS = { '640x480': 1000, '1280x720': 2500 } as const
/** Lowest frame rate of a composed picture. A single stream may send fewer frames. */
const FRAME_RATE_MIN = 15

/** Size, frame rate and bit rate of a recording's picture, from the room's settings. */
export function videoFormOf({
  archiveResolution,
  streamFrameRate,
}: {
  archiveResolution: ArchiveResolution
  streamFrameRate: number
}) {
  const [width, height] = archiveResolution.split('x').map(Number) as [number, number]
  const frameRate = Math.max(streamFrameRate, FRAME_RATE_MIN)
  return { width, height, frameRate, videoKbps: VIDEO_KBPS[archiveResolution] }
}
