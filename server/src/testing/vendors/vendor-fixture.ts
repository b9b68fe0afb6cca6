import type { FailureReason } from '../../domain/recording/transcriptions/engines/engine.ts'
import type { Vendor } from '../../platform/config/vendors.ts'
import type { PlayedAnswer, PlayedCall } from '../played-vendors.ts'

/** Text, start and end in seconds. */
export type Said = readonly (readonly [text: string, startSec: number, endSec: number])[]

export type Behaviour = (call: PlayedCall) => PlayedAnswer

/** What a vendor answers, after the document named. Written from it: no vendor was called. */
export interface VendorFixture {
  name: Vendor
  /** The vendor's document, and its version or date. */
  follows: string
  /** An audio in which that is said, by one person. */
  hearing: (said: Said) => Behaviour
  /** The same, translated. */
  translating?: (said: Said) => Behaviour
  /** Which call hands the audio in. */
  isSubmission: (call: PlayedCall) => boolean
  /** Its way with words that say why it refuses. */
  refuses: readonly { answer: PlayedAnswer; reason: FailureReason }[]
  /** Where it takes jobs. */
  job?: VendorJob
}

export interface VendorJob {
  /** Asks what became of it. */
  isPoll: (call: PlayedCall) => boolean
  pending: string
  /** Jobs that it gave up for good. */
  gaveUp: readonly { says: string; answer: string; reason: FailureReason }[]
  /** Jobs that may do better another time. */
  lost: readonly { says: string; answer: string }[]
  isList: (call: PlayedCall) => boolean
  list: (reference: string) => string
  isRemoval: (call: PlayedCall) => boolean
  /** What it answers to a removal that comes too early, where it refuses that. */
  tooEarly?: number
}

export const JOB_ID = '6f1c4a52-93d4-4ad2-a3a4-0c9d3b1f0a11'

export const json = (body: object, status = 200): PlayedAnswer => ({
  status,
  body: JSON.stringify(body),
})
