import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { EngineError, invalidResult } from '../engine.ts'

export interface VendorSettings {
  /** Without a slash at the end. */
  url: string
  apiKey: string
  model: string
}

interface VendorCall<S extends TSchema> {
  url: string
  method?: 'GET' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body?: string | Blob | FormData
  /** What an answer must look like. */
  answer: S
  timeoutMs: number
  signal: AbortSignal
}

export const CALL_MS = 10_000
/** Bytes of an answer that are read. */
const ANSWER_MAX = 50 * 1024 * 1024

/** Long enough for the bytes, at a slow pace. */
export function uploadMs(durationSec: number): number {
  return 60_000 + durationSec * 100
}

/**
 * Calls a vendor and checks what it answers. Redirects are not followed: they would carry the key
 * elsewhere. Throws `EngineError`, or the signal's reason; undefined where there is nothing (404).
 */
export async function callVendor<S extends TSchema>(
  call: VendorCall<S>,
): Promise<Static<S> | undefined> {
  const { url, method = 'GET', headers, body, answer, timeoutMs, signal } = call
  const ending = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  let text: string
  try {
    const init = { method, headers, redirect: 'error', signal: ending } as const
    const response = await fetch(url, body === undefined ? init : { ...init, body })
    if (!response.ok) {
      await response.body?.cancel()
      if (response.status === 404) return undefined
      throw problemOf(response)
    }
    text = await readBounded(response)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof EngineError) throw error
    const reason = ending.aborted ? 'timed_out' : 'vendor_unavailable'
    throw new EngineError('the engine cannot be reached', { isTransient: true, reason })
  }
  return parse(text, answer)
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > ANSWER_MAX) throw invalidResult('the engine answered more than anybody says')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse<S extends TSchema>(text: string, answer: S): Static<S> {
  let given: unknown
  try {
    given = text === '' ? null : JSON.parse(text)
  } catch {
    throw invalidResult('the engine answered what is no JSON')
  }
  if (!Value.Check(answer, given)) throw invalidResult('the engine answered another form')
  return given
}

/** Answers that say more than that the vendor refuses. */
const REFUSALS: Partial<Record<number, 'quota_exceeded' | 'unsupported_audio'>> = {
  402: 'quota_exceeded',
  413: 'unsupported_audio',
  415: 'unsupported_audio',
}

function problemOf({ status, headers }: Response): EngineError {
  const retryAfterSec = secondsOf(headers.get('retry-after'))
  const message = `the engine answered with ${status}`
  if (status === 429) {
    return new EngineError(message, { isTransient: true, reason: 'quota_exceeded', retryAfterSec })
  }
  const isTransient = status >= 500 || status === 408 || status === 425
  const reason = isTransient ? 'vendor_unavailable' : (REFUSALS[status] ?? 'vendor_rejected')
  return new EngineError(message, { isTransient, reason, retryAfterSec })
}

/** Seconds, or a date (RFC 9110). */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** Of what must be there: a 404 is a refusal. */
export function required<T>(answer: T | undefined): T {
  if (answer !== undefined) return answer
  throw new EngineError('the engine answered with 404', {
    isTransient: false,
    reason: 'vendor_rejected',
  })
}
