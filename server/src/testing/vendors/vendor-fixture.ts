import type { FailureReason } from '../../domain/recording/transcriptions/engines/engine.ts'
import type { Vendor } from '../../platform/config/vendors.ts'
import type { PlayedAnswer, PlayedCall } from '../played-vendors.ts'

/** A spoken text, with start and end in seconds. */
export type Said = readonly (readonly [text: string, startSec: number, endSec: number])[]

export type Behaviour = (call: PlayedCall) => PlayedAnswer

/** A vendor's answers as its document describes them. No vendor was called. */
export interface VendorFixture {
  name: Vendor
  /** The vendor's document, and its version or date. */
  follows: string
  /** Answers for an audio in which one person says these texts. */
  hearing: (said: Said) => Behaviour
  /** The same, translated. */
  translating?: (said: Said) => Behaviour
  /** Matches the call that uploads the audio. */
  isSubmission: (call: PlayedCall) => boolean
  /** Refusals with the vendor's own words for the reason. */
  refuses: readonly { answer: PlayedAnswer; reason: FailureReason }[]
  /** The job interface of a vendor that has one. */
  job?: VendorJob
}

export interface VendorJob {
  /** Matches a poll of the job. */
  isPoll: (call: PlayedCall) => boolean
  pending: string
  /** Answers for jobs that failed for good. */
  gaveUp: readonly { says: string; answer: string; reason: FailureReason }[]
  /** Answers for jobs that may succeed on another try. */
  lost: readonly { says: string; answer: string }[]
  isList: (call: PlayedCall) => boolean
  list: (reference: string) => string
  isRemoval: (call: PlayedCall) => boolean
  /** The status with which it refuses a removal that comes too early, if it does. */
  tooEarly?: number
}

export const JOB_ID = '6f1c4a52-93d4-4ad2-a3a4-0c9d3b1f0a11'

export const json = (body: object, status = 200): PlayedAnswer => ({
  status,
  body: JSON.stringify(body),
})
