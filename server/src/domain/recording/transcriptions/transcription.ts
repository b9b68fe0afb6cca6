import type { TranscriptionAttempt } from '@interview-room/contract/recordings.ts'
import type {
  TranscriptionEngine,
  TranscriptionKind,
  TranscriptionStatus,
} from '@interview-room/contract/vocabulary.ts'

interface TranscriptionBase {
  id: string
  tenantId: string
  recordingId: string
  roomId: string
  seq: bigint
  provider: TranscriptionEngine
  providerTranscriptionId: string | null
  language: string
  kind: TranscriptionKind
  /** Number of transient failures in its present phase. */
  failures: number
  /** Seconds of sound that engines were sent. Null before the first. */
  sentSec: number | null
  failureReason: string | null
  /** The engines to try after `provider`, in this order. */
  nextEngines: TranscriptionEngine[]
  /** The attempts of the engines before `provider`. */
  failedAttempts: TranscriptionAttempt[]
  createdAt: Date
  updatedAt: Date
}

interface UnfinishedTranscription {
  status: 'sending_request' | 'processing' | 'retrying' | 'error' | 'request_error'
  resultKey: null
}

interface DoneTranscription {
  status: 'done'
  resultKey: string
}

export type Transcription = TranscriptionBase & (UnfinishedTranscription | DoneTranscription)

/** The attempts of all engines so far. The last one is that of `provider`. */
export function attemptsOf(transcription: Transcription): TranscriptionAttempt[] {
  const { provider, failedAttempts, failureReason, createdAt, updatedAt } = transcription
  const latest: TranscriptionAttempt = {
    engine: provider,
    started_at: failedAttempts.at(-1)?.ended_at ?? createdAt.toISOString(),
    ended_at: isRunning(transcription) ? null : updatedAt.toISOString(),
    failure_reason: failureReason,
  }
  return [...failedAttempts, latest]
}

export function isRunning({ status }: Pick<Transcription, 'status'>): boolean {
  return status === 'sending_request' || status === 'processing' || status === 'retrying'
}

/** The states from which each state can be entered. Any other transition changes nothing. */
export const TRANSCRIPTION_ENTERED_FROM = {
  sending_request: [],
  processing: ['sending_request', 'retrying'],
  retrying: ['processing'],
  done: ['processing', 'retrying'],
  error: ['processing', 'retrying'],
  request_error: ['sending_request'],
} as const satisfies Record<TranscriptionStatus, readonly TranscriptionStatus[]>

const LIFE_MS = 24 * 60 * 60 * 1000

/** A transcription that started before this moment and is still running is overdue. */
export function startedBeforeOverdue(now: Date): Date {
  return new Date(now.getTime() - LIFE_MS)
}

/** The end of an overdue transcription depends on whether the engine had accepted it. */
export function endOfOverdue({ status }: Pick<Transcription, 'status'>): 'error' | 'request_error' {
  return status === 'sending_request' ? 'request_error' : 'error'
}
