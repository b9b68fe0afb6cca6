import { systemClock } from '../../../../platform/lib/clock.ts'
import { EngineError, type EngineProblem, type FailureReason } from './engine.ts'

/** Texts of a vendor that are more specific than the status. */
export type Refusals = readonly (readonly [says: RegExp, reason: FailureReason])[]

interface VendorRefusal {
  status: number
  /** The beginning of the vendor's text. It is not passed on any further. */
  said?: string
  refusals?: Refusals
  retryAfter?: string | null
}

const REASONS: Partial<Record<number, FailureReason>> = {
  402: 'quota_exceeded',
  413: 'unsupported_audio',
  415: 'unsupported_audio',
}

/** The meaning of an error status, in an answer or in a job. */
export function problemOf({
  status,
  said = '',
  refusals = [],
  retryAfter,
}: VendorRefusal): EngineProblem {
  const retryAfterSec = secondsOf(retryAfter ?? null)
  if (status >= 500 || status === 408 || status === 425) {
    return { isTransient: true, reason: 'vendor_unavailable', retryAfterSec }
  }
  const [, published] = refusals.find(([says]) => says.test(said)) ?? []
  if (published !== undefined) return { isTransient: false, reason: published }
  if (status === 429) return { isTransient: true, reason: 'quota_exceeded', retryAfterSec }
  return { isTransient: false, reason: REASONS[status] ?? 'vendor_rejected' }
}

/** Parses seconds, or a date (RFC 9110). */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - systemClock().getTime()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** The error for an accepted job that no further attempt could complete. */
export function jobRefused(reason: FailureReason): EngineError {
  return new EngineError('the engine gave the job up', { isTransient: false, reason })
}

/** For a resource that must exist: its 404 is a refusal. */
export function required<T>(answer: T | undefined): T {
  if (answer !== undefined) return answer
  const problem = problemOf({ status: 404 })
  throw new EngineError('the engine answered with 404', problem)
}
