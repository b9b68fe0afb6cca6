import { Agent, type BodyInit, type FormData, fetch, type Response } from 'undici'
import { EngineError, invalidResult } from './engine.ts'
import { parseJson } from './read-fields.ts'
import { problemOf, type Refusals } from './vendor-problem.ts'

interface VendorCall<T> {
  url: string
  method?: 'GET' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body?: string | Blob | FormData
  /** Reads the answer. Returns undefined for what no engine answers, such as an error with status 200. */
  read: (answer: unknown) => T | undefined
  refusals?: Refusals
  timeoutMs: number
  signal: AbortSignal
}

export const CALL_MS = 10_000
export const TRANSCRIPT_MS = 60_000
/** Longest answer that is read. */
const ANSWER_MAX = 50 * 1024 * 1024
const REFUSAL_MAX = 16 * 1024

/**
 * Each call sets its own limit: the client's default, five minutes until the first byte, is too short for some synchronous
 * answers.
 */
const AGENT = new Agent({ connect: { timeout: CALL_MS }, headersTimeout: 0, bodyTimeout: 0 })

/** Long enough to upload the audio over a slow connection. */
export function uploadMs(durationSec: number): number {
  return 60_000 + durationSec * 100
}

/**
 * Calls a vendor and reads its answer. Redirects are refused, because they would carry the key elsewhere. Throws
 * `EngineError`, or the signal's reason. Returns undefined for a missing (404) or deleted (410) resource.
 */
export async function callVendor<T>(call: VendorCall<T>): Promise<T | undefined> {
  const { signal, timeoutMs, read } = call
  const ending = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs))])
  let text: string | undefined
  try {
    text = await exchange(call, ending)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof EngineError) throw error
    const reason = ending.aborted ? 'timed_out' : 'vendor_unavailable'
    throw new EngineError('the engine cannot be reached', { isTransient: true, reason })
  }
  if (text === undefined) return undefined
  const answer = read(parse(text))
  if (answer === undefined) throw new EngineError('the engine answered no transcript', ELSEWHERE)
  return answer
}

async function exchange(
  { url, method = 'GET', headers, body, refusals = [] }: VendorCall<unknown>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const init = { method, headers, redirect: 'error', signal, dispatcher: AGENT } as const
  // Node and the browser each declare a type for Blob, but the class is the same.
  const sent = body === undefined ? init : { ...init, body: body as BodyInit }
  const response = await fetch(url, sent)
  const { status } = response
  if (response.ok) {
    const { text, isComplete } = await readUpTo(response, ANSWER_MAX)
    if (isPage(response)) throw new EngineError('a page came in place of the engine', ELSEWHERE)
    if (!isComplete) throw invalidResult('the engine answered more than anybody says')
    return text
  }
  const { text: said } = await readUpTo(response, REFUSAL_MAX)
  if (status === 404 || status === 410) return undefined
  const retryAfter = response.headers.get('retry-after')
  const problem = problemOf({ status, said, refusals, retryAfter })
  throw new EngineError(`the engine answered with ${status}`, problem)
}

/** No engine answers with HTML. It comes from a proxy, or announces maintenance. */
const isPage = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/html') === true
const ELSEWHERE = { isTransient: true, reason: 'vendor_unavailable' } as const

/** Leaving the loop early closes the connection. */
async function readUpTo({ body }: Response, max: number) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > max) break
    chunks.push(chunk)
  }
  return { text: Buffer.concat(chunks).toString('utf8'), isComplete: size <= max }
}

/** An empty answer, and one that was cut, come from a connection that broke. */
function parse(text: string): unknown {
  try {
    return text === '' ? null : parseJson(text)
  } catch {
    throw new EngineError('the engine answered what is no JSON', ELSEWHERE)
  }
}
