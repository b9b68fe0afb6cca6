import type { ErrorCode, ErrorDetail } from '@interview-room/contract/errors.ts'

interface Refusal {
  status: number
  code: ErrorCode
  message: string
  details?: readonly ErrorDetail[] | undefined
  requestId: string | null
  retryAfterSec?: number | undefined
}

/** The service refused the request, or failed. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly details: readonly ErrorDetail[]
  /** Identifies the request in the log of the service. */
  readonly requestId: string | null
  /** Seconds after which a retry may succeed, if the service states them. */
  readonly retryAfterSec: number | undefined

  constructor({ status, code, message, details = [], requestId, retryAfterSec }: Refusal) {
    const reasons = details.map((detail) => `${detail.field} ${detail.message}`).join('; ')
    super(`${status} ${code}: ${message}${reasons && ` (${reasons})`}`)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = details
    this.requestId = requestId
    this.retryAfterSec = retryAfterSec
  }
}

/** There was no response, or it was not from the service. The outcome of the request is unknown. */
export class ConnectionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ConnectionError'
  }
}
