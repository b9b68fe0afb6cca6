import type { ErrorDetail } from '@interview-room/contract/errors.ts'
import type { API } from '@interview-room/contract/operations.ts'
import type {
  BodyOf,
  DataOf,
  Operation,
  QueryOf,
  StatusOf,
} from '@interview-room/contract/operations/operation.ts'
import type { Written } from '../live/live-request.ts'
import { callService, type ProblemCode } from '../live/send-request.ts'

const BASE = '/api/v1'
/** A test or a redelivery is answered within 20 s. */
const TIMEOUT_MS = 25_000

type OperationId = keyof typeof API
type DataAt<O extends Operation> = DataOf<O['answers'][StatusOf<O>]>

interface Sent<O> {
  query?: QueryOf<O>
  body?: BodyOf<O>
}

/**
 * Calls one operation of the control plane, whose id is the type argument. Throws `ConsoleError` if the service
 * refuses or does not answer.
 */
export type ConsoleApi = <Id extends OperationId>(
  method: (typeof API)[Id]['method'],
  path: Written<(typeof API)[Id]['path']>,
  sent?: Sent<(typeof API)[Id]>,
) => Promise<DataAt<(typeof API)[Id]>>

export class ConsoleError extends Error {
  readonly code: ProblemCode
  readonly details: readonly ErrorDetail[]
  /** Seconds to wait, if the service states them. */
  readonly retryAfterSec: number | undefined

  constructor(code: ProblemCode, details: readonly ErrorDetail[] = [], retryAfterSec?: number) {
    super(`the service answered ${code}`)
    this.code = code
    this.details = details
    this.retryAfterSec = retryAfterSec
  }
}

/** @param onRefused is called when the key is not accepted any more. */
export function createConsoleApi(apiKey: string, onRefused: () => void): ConsoleApi {
  return async (method: string, path: string, { query, body }: Sent<unknown> = {}) => {
    const answer = await callService<never>(`${BASE}${path}${searchOf(query)}`, {
      method,
      authorization: `ApiKey ${apiKey}`,
      body,
      timeoutMs: TIMEOUT_MS,
    })
    if (answer.ok) return answer.data
    const { code, details, headers } = answer
    if (code === 'UNAUTHORIZED') onRefused()
    const retryAfter = headers.get('retry-after')
    throw new ConsoleError(code, details, retryAfter === null ? undefined : Number(retryAfter))
  }
}

function searchOf(query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  const written = search.toString()
  return written === '' ? '' : `?${written}`
}
