import type { OutputMode, RecordingStatus } from '@interview-room/contract/vocabulary.ts'

interface RecordingBase {
  id: string
  tenantId: string
  roomId: string
  seq: bigint
  providerArchiveId: string
  /** Raised by every change of the status. */
  version: number
  outputMode: OutputMode
  /** Since when its file is being composed; null where it was not. */
  composingSince: Date | null
  /** How far that was, and when. */
  composedPercent: number | null
  composedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

interface RunningRecording {
  status: 'started' | 'paused'
  storageKey: string | null
  sizeBytes: null
  durationSec: null
}

/** Its file may still be on the way, or never come. */
interface EndedRecording {
  status: 'stopped' | 'failed'
  storageKey: string | null
  sizeBytes: number | null
  durationSec: number | null
}

interface StoredRecording {
  status: 'uploaded' | 'expired'
  storageKey: string | null
  sizeBytes: number
  durationSec: number
}

interface AvailableRecording {
  status: 'available'
  storageKey: string
  sizeBytes: number
  durationSec: number
}

export type Recording = RecordingBase &
  (RunningRecording | EndedRecording | StoredRecording | AvailableRecording)

/** Only from it can anything be made: a download, a processed recording, a transcription. */
export type ReadyRecording = RecordingBase & AvailableRecording

export interface RecordingKey {
  tenantId: string
  recordingId: string
}

/** How often one recording resumes automatically after its recorder died, or tries to. */
export const RESTARTS_MAX = 5

/** From which states each state is entered. Whatever else is asked for changes nothing. */
export const RECORDING_ENTERED_FROM = {
  started: ['paused'],
  paused: ['started'],
  stopped: ['started', 'paused'],
  uploaded: ['started', 'paused', 'stopped'],
  available: ['uploaded'],
  expired: ['available'],
  failed: ['started', 'paused', 'stopped', 'uploaded'],
} as const satisfies Record<RecordingStatus, readonly RecordingStatus[]>

/** Less says nothing about the pace. */
const ESTIMATED_FROM_PERCENT = 5

/** When the file will be there if composing continues at its pace; null where that is not known. */
export function estimatedAvailableAt({
  status,
  composingSince,
  composedPercent,
  composedAt,
}: Pick<Recording, 'status' | 'composingSince' | 'composedPercent' | 'composedAt'>): Date | null {
  if (status !== 'stopped' || composingSince === null || composedAt === null) return null
  if (composedPercent === null || composedPercent < ESTIMATED_FROM_PERCENT) return null
  const sofarMs = composedAt.getTime() - composingSince.getTime()
  return new Date(composingSince.getTime() + (sofarMs * 100) / composedPercent)
}

export function isReady(recording: Recording): recording is ReadyRecording {
  return recording.status === 'available'
}

export function isRunning({ status }: Pick<Recording, 'status'>): boolean {
  return status === 'started' || status === 'paused'
}

/** What the file of a recording is: one video, or an archive of one per participant. */
export function fileTypeOf(outputMode: OutputMode): { extension: string; mime: string } {
  return outputMode === 'composed'
    ? { extension: 'mp4', mime: 'video/mp4' }
    : { extension: 'zip', mime: 'application/zip' }
}
