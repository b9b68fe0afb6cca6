import type { TranscriptionFailure } from '@interview-room/contract/vocabulary.ts'
import type { VendorSettings } from '../../../../platform/config/vendors.ts'
import type { Word } from './word.ts'

/** Why a transcription ends without a result, as W6 reports it. */
export type FailureReason = TranscriptionFailure

export interface Capabilities {
  /** Canonical codes of the contract. */
  languages: readonly string[]
  /** Those of them that it can write in English. */
  translatesFrom: readonly string[]
  /** Of one audio, in seconds; longer ones are sent in parts. */
  audioMaxSec: number
  audioMaxBytes: number
  /** Distinguishes speakers within one audio. */
  speakerLabels: boolean
  audioFormat: 'flac' | 'wav'
}

/** One audio, mono with 16 kHz, and what is wanted of it. */
export interface Submission {
  path: string
  durationSec: number
  /** Ours, and the same whenever the same audio is sent again. */
  reference: string
  /** Canonical code of what is spoken. */
  language: string
  /** Into English. */
  translate: boolean
  signal: AbortSignal
}

export type SubmitResult =
  | { kind: 'done'; words: readonly Word[] }
  /** Accepted; `poll` reports its progress. */
  | { kind: 'accepted'; providerId: string }

type PollResult =
  | { kind: 'pending' }
  | { kind: 'done'; words: readonly Word[] }
  /** The engine gave up, or does not know it any more: it may be sent again. */
  | { kind: 'lost' }

interface PollOrder {
  providerId: string
  language: string
  translate: boolean
  signal: AbortSignal
}

/**
 * A speech engine. All calls have a timeout and throw `EngineError`, or the signal's reason. What
 * comes back is not trusted: `checkWords` bounds it before it goes any further.
 */
export interface Engine {
  /** Of the adapter, for logs and the start. */
  name: string
  capabilities: Capabilities
  submit(submission: Submission): Promise<SubmitResult>
  /** Only where `submit` answers `accepted`. */
  poll?(order: PollOrder): Promise<PollResult>
  /** What was taken under our reference; undefined when nothing was. */
  find?(reference: string, signal: AbortSignal): Promise<string | undefined>
  /** Ends the work and removes what the engine has of it; what is gone already is no error. */
  cancel?(providerId: string, signal: AbortSignal): Promise<void>
}

export interface EngineProblem {
  /** Another try may succeed. */
  isTransient: boolean
  reason: FailureReason
  /** How long the engine wants to be left alone. */
  retryAfterSec?: number | undefined
}

/** Its message is a fixed sentence: never an address, a key or what the engine wrote. */
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

/** Makes a vendor's engine of its settings. */
export interface VendorAdapter {
  create(settings: VendorSettings): Engine
}
