import { ERRORS, type ErrorCode, type ErrorDetail } from '@interview-room/contract/errors.ts'

interface ServiceErrorOptions {
  details?: ErrorDetail[]
  /** Response headers that belong to the refusal. */
  headers?: Record<string, string>
  /** For the log only. */
  note?: string
  /** For the log only: the note as one fixed word, to search for. */
  reasonCode?: string
  cause?: unknown
}

/** A refusal of the contract. The HTTP edge turns it into the error envelope. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined
  readonly headers: Record<string, string>
  readonly note: string | undefined
  readonly reasonCode: string | undefined

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(options.note ?? ERRORS[code].message, { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.details = options.details
    this.headers = options.headers ?? {}
    this.note = options.note
    this.reasonCode = options.reasonCode
  }
}

/** A refusal that names one field. */
export function refuseField(
  code: ErrorCode,
  detail: ErrorDetail,
  options: Omit<ServiceErrorOptions, 'details'> = {},
): ServiceError {
  return new ServiceError(code, { ...options, details: [detail] })
}
