import type { ErrorCode, ErrorDetail, ErrorEnvelope } from '@interview-room/contract/errors.ts'
import { withinTime } from './within-time.ts'

const TIMEOUT_MS = 15_000
/** A file of 300 MB on a slow line. */
const UPLOAD_TIMEOUT_MS = 30 * 60_000

export interface Sent {
  method?: string
  /** `Bearer <ticket>` or `ApiKey <key>`. */
  authorization?: string
  /** The ETag of what is changed. */
  ifMatch?: string
  /** A form is sent as it is, everything else as JSON. */
  body?: unknown
  /** Ends the request early. */
  signal?: AbortSignal
  timeoutMs?: number
  mode?: RequestMode
  /** The request outlives the page. */
  keepalive?: boolean
}

/** `OFFLINE`: no answer, or an answer from another server. */
export type ProblemCode = ErrorCode | 'OFFLINE'

export interface Refused {
  ok: false
  code: ProblemCode
  details: readonly ErrorDetail[]
}

/** The data or the error of an envelope, with the headers of its response. */
type ServiceAnswer<T> = ({ ok: true; data: T } | Refused) & { headers: Headers }

/** Rejects if no answer came in time, or if the signal has ended the request. */
export async function sendRequest(
  address: string,
  { authorization, ifMatch, body, signal, timeoutMs, ...options }: Sent = {},
): Promise<Response> {
  const isForm = body instanceof FormData
  const limitMs = timeoutMs ?? (isForm ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS)
  return fetch(address, {
    ...options,
    cache: 'no-store',
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      // The browser sets the boundary of a form itself.
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    signal: signal === undefined ? AbortSignal.timeout(limitMs) : withinTime(signal, limitMs),
  })
}

/** Sends a request to the API and reads the envelope of its answer. Never throws. */
export async function callService<T>(address: string, sent: Sent): Promise<ServiceAnswer<T>> {
  try {
    const response = await sendRequest(address, sent)
    const { headers } = response
    if (response.status === 204) return { ok: true, data: null as T, headers }
    const said = (await response.json()) as { success: true; data: T } | ErrorEnvelope
    if (said.success) return { ok: true, data: said.data, headers }
    const { code, details = [] } = said.error
    // A proxy in between may answer JSON of its own.
    if (typeof code !== 'string') throw new TypeError('not an error of the service')
    return { ok: false, code, details, headers }
  } catch {
    return { ok: false, code: 'OFFLINE', details: [], headers: new Headers() }
  }
}
