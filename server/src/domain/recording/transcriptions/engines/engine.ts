import type { TranscriptionFailure } from '@interview-room/contract/vocabulary.ts'
import type { VendorSettings } from '../../../../platform/config/vendors.ts'
import type { HeardWord } from './word.ts'

/** The reason of a failed transcription, as W6 reports it. */
export type FailureReason = TranscriptionFailure

export interface Capabilities {
  /** Canonical codes of the contract. */
  languages: readonly string[]
  /** The languages that it can translate into English. */
  translatesFrom: readonly string[]
  /** Longest audio, in seconds. Longer ones are sent in parts. */
  audioMaxSec: number
  audioMaxBytes: number
  /** Distinguishes speakers within one audio. */
  speakerLabels: boolean
  audioFormat: 'flac' | 'wav'
}

/** One audio, mono with 16 kHz, and the options of its transcription. */
export interface Submission {
  path: string
  durationSec: number
  /** Our reference. Sending the same audio again uses the same one. */
  reference: string
  /** Canonical code of the spoken language. */
  language: string
  /** Into English. */
  translate: boolean
  signal: AbortSignal
}

export type SubmitResult =
  | { kind: 'done'; words: readonly HeardWord[] }
  /** Accepted; `poll` reports its progress. */
  | { kind: 'accepted'; providerId: string }

type PollResult =
  | { kind: 'pending' }
  | { kind: 'done'; words: readonly HeardWord[] }
  /** The engine failed or lost the job, so it may be sent again. */
  | { kind: 'lost' }

interface PollOrder {
  providerId: string
  language: string
  translate: boolean
  signal: AbortSignal
}

/**
 * A speech engine. All calls have a timeout and throw `EngineError`, or the signal's reason. Results are not trusted:
 * `checkWords` reads them.
 */
export interface Engine {
  /** Name of the adapter, for logs. */
  name: string
  capabilities: Capabilities
  submit(submission: Submission): Promise<SubmitResult>
  /** Present only if `submit` may answer `accepted`. */
  poll?(order: PollOrder): Promise<PollResult>
  /** Finds a job by our reference. Returns undefined without one. */
  find?(reference: string, signal: AbortSignal): Promise<string | undefined>
  /** Cancels the job and deletes its data at the engine. A missing job is no error. */
  cancel?(providerId: string, signal: AbortSignal): Promise<void>
}

export interface EngineProblem {
  /** Another try may succeed. */
  isTransient: boolean
  reason: FailureReason
  /** The pause that the engine asked for. */
  retryAfterSec?: number | undefined
}

/** The message is a fixed sentence, without any address, key or text from the engine. */
export class EngineError extends Error {
  override name = 'EngineError'
  readonly problem: EngineProblem

  constructor(message: string, problem: EngineProblem) {
    super(message)
    this.problem = problem
  }
}

export function invalidResult(message: string): EngineError {
  return new EngineError(message, { isTransient: false, reason: 'result_invalid' })
}

/** Creates a vendor's engine from its settings. */
export interface VendorAdapter {
  create(settings: VendorSettings): Engine
}
