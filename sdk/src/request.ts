import type { ErrorEnvelope } from '@interview-room/contract/errors.ts'
import type { Operation } from '@interview-room/contract/operations/operation.ts'
import { ApiError, ConnectionError } from './errors.ts'

export interface ClientOptions {
  /** The address of the service, without a path: `https://interviews.example.com`. */
  baseUrl: string
  /** `<key_id>.<secret>`, as the operator issued it. Keep it in a backend. */
  apiKey?: string
  /** Used instead of an API key: `Bearer <ticket>`. */
  authorization?: string
  fetch?: typeof fetch
  /**
   * Timeout of each attempt, or of the first byte of a stream. The default is 25 seconds, and half an hour if a file
   * is sent.
   */
  timeoutMs?: number
}

export interface CallOptions {
  signal?: AbortSignal
  /** Used by operations that take an Idempotency-Key. Random if omitted. */
  idempotencyKey?: string
  /** The ETag of what the operation changes, for operations that need it. */
  ifMatch?: string
  /** Resumes a stream after this id, the last one that was read. */
  lastEventId?: string
}

/** The input of an operation: path parameters, query and body, as the operation declares them. */
export interface Input extends CallOptions {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number | undefined>>
  body?: unknown
  form?: FormData
}

/** The service answers a test of an endpoint after 20 s at the latest. */
const TIMEOUT_MS = 25_000
/** A file of 300 MB on a slow line. */
const UPLOAD_TIMEOUT_MS = 30 * 60_000
const TRIES_MAX = 4
const PAUSE_MS = 250
/** The client does not wait longer than this. */
const RETRY_AFTER_MAX_SEC = 30

/** An operation, and the way to read its answer. */
interface Call<T> {
  operation: Operation
  input: Input
  read: (response: Response) => Promise<T>
}

/**
 * Calls an operation and returns its answer. An operation that takes an Idempotency-Key is sent again, with the same
 * key, when the connection fails or the service asks for it ("Errors" of docs/api.md). A GET is repeated, too.
 *
 * Throws ApiError, ConnectionError, and the reason of an aborted signal.
 */
export async function request<T>(options: ClientOptions, call: Call<T>): Promise<T> {
  const { operation, input } = call
  const idempotencyKey = operation.isKeyed
    ? (input.idempotencyKey ?? crypto.randomUUID())
    : undefined
  const isStream = 'events' in (operation.answers[200] ?? {})
  const isRepeatable = operation.isKeyed || (operation.method === 'GET' && !isStream)
  const triesMax = isRepeatable ? TRIES_MAX : 1
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(options, { ...call, input: { ...input, idempotencyKey } })
    } catch (error) {
      const pauseMs = pauseBefore(error, tries)
      if (tries === triesMax || pauseMs === undefined) throw error
      await pause(pauseMs, input.signal)
    }
  }
}

/** Undefined if another attempt would not help. */
function pauseBefore(error: unknown, tries: number): number | undefined {
  const backoffMs = PAUSE_MS * 2 ** (tries - 1)
  if (error instanceof ConnectionError) return backoffMs
  if (!(error instanceof ApiError)) return undefined
  const { status, code, retryAfterSec } = error
  if (![429, 502, 503].includes(status) && code !== 'IDEMPOTENCY_KEY_IN_USE') return undefined
  if (retryAfterSec === undefined) return backoffMs
  return retryAfterSec > RETRY_AFTER_MAX_SEC ? undefined : retryAfterSec * 1000
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      // A signal may live as long as the process, and each pause would leave a listener on it.
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
  signal?.throwIfAborted()
}

type KeyedInput = Omit<Input, 'idempotencyKey'> & { idempotencyKey: string | undefined }

async function attempt<T>(
  options: ClientOptions,
  { operation, input, read }: Omit<Call<T>, 'input'> & { input: KeyedInput },
): Promise<T> {
  const { baseUrl, apiKey, fetch: send = fetch } = options
  const { authorization = apiKey === undefined ? undefined : `ApiKey ${apiKey}` } = options
  const { signal, idempotencyKey, ifMatch, lastEventId, body, form } = input
  const { timeoutMs = form === undefined ? TIMEOUT_MS : UPLOAD_TIMEOUT_MS } = options
  const url = new URL(pathOf(operation, input), baseUrl)
  const ends = new AbortController()
  const timer = setTimeout(() => ends.abort(), timeoutMs)
  try {
    const response = await send(url, {
      method: operation.method,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(form !== undefined && { body: form }),
      signal: signal === undefined ? ends.signal : AbortSignal.any([signal, ends.signal]),
    })
    if (operation.answers[response.status] === undefined) throw await errorOf(response)
    return await read(response)
  } catch (error) {
    if (error instanceof ApiError || signal?.aborted) throw error
    if (error instanceof ConnectionError) throw error
    throw new ConnectionError(`${operation.id} got no answer`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Throws TypeError if an id of the address is missing. JavaScript callers have no other check. */
function pathOf(
  { id, path }: Operation,
  { params = {}, query = {} }: Pick<Input, 'params' | 'query'>,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name]
    if (!value) throw new TypeError(`${id} needs params.${name}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return `/api/v1${filled}${search.size > 0 ? `?${search.toString()}` : ''}`
}

async function errorOf(response: Response): Promise<ApiError | ConnectionError> {
  const { status, headers } = response
  const text = await response.text()
  const refusal = parseRefusal(text)
  // A proxy in between answered, not the service.
  if (refusal === undefined)
    return new ConnectionError(`answered with ${status}, and no error body`)
  return new ApiError({
    status,
    ...refusal,
    requestId: headers.get('x-request-id'),
    retryAfterSec: secondsOf(headers.get('retry-after')),
  })
}

/** Undefined if it is not an error envelope: a proxy may answer `{"error": "Bad Gateway"}`. */
function parseRefusal(text: string): ErrorEnvelope['error'] | undefined {
  try {
    const { code, message, details } = (JSON.parse(text) as ErrorEnvelope).error
    const isOurs = typeof code === 'string' && typeof message === 'string'
    return isOurs ? { code, message, ...(details !== undefined && { details }) } : undefined
  } catch {
    return undefined
  }
}

/** Undefined for a date, which only a proxy in between would send. */
function secondsOf(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}
