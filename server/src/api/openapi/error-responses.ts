import { ErrorResponse } from '@interview-room/contract/envelope.ts'
import { ERRORS, type ErrorCode, type ErrorDetail } from '@interview-room/contract/errors.ts'
import {
  RELEASED_HEADER,
  WINDOW_CLOSES_HEADER,
  WINDOW_OPENS_HEADER,
} from '@interview-room/contract/live-entry.ts'
import type { Plane } from '@interview-room/contract/operations/operation.ts'
import { ROLES } from '@interview-room/contract/vocabulary.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { toEnvelope } from '../http/errors.ts'
import type { ResponseObject } from './document.ts'
import { ERRORS_PAGE } from './errors-page.ts'
import { HEADERS, RATE_LIMIT_HEADERS } from './headers.ts'

const DETAILS: Partial<Record<ErrorCode, ErrorDetail[]>> = {
  INVALID_REQUEST: [
    { field: 'session.ends_at', code: 'REQUIRED', message: 'is required' },
    { field: 'archive_mode', code: 'INVALID_ENUM', message: 'must be one of: always, manual' },
  ],
  INVALID_TIME_WINDOW: [
    { field: 'session.ends_at', code: 'BEFORE_STARTS_AT', message: 'must be after starts_at' },
  ],
  IMMUTABLE_FIELD: [
    { field: 'external_id', code: 'IMMUTABLE', message: 'cannot change after creation' },
  ],
  DUPLICATE_EXTERNAL_REF: [
    {
      field: 'session.external_id',
      code: 'DUPLICATE',
      message: 'is the reference of session 01998f2e-7b1c-7d3a-9f10-2c5e8a4b6d01',
    },
  ],
  TRANSCRIPTION_IN_PROGRESS: [
    {
      field: 'language',
      code: 'DUPLICATE',
      message: 'is in progress as transcription 01998f30-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
    },
  ],
  VALIDATION_ERROR: [
    {
      field: 'trim_end_sec',
      code: 'EXCEEDS_DURATION',
      message: 'must not be after the end of the recording',
    },
  ],
  UNSUPPORTED_FILE_TYPE: [
    {
      field: 'file',
      code: 'CONTENT_MISMATCH',
      message: 'name, content_type and content of the file must be of the same type',
    },
  ],
  FILE_TOO_LARGE: [
    { field: 'file', code: 'TOO_LARGE', message: 'must have at most 20000000 bytes' },
  ],
  UNKNOWN_ROLE: [
    { field: 'role', code: 'INVALID_ENUM', message: `must be one of: ${ROLES.join(', ')}` },
  ],
  UNSUPPORTED_MEDIA_TYPE: [
    { field: 'Content-Type', code: 'INVALID_ENUM', message: 'must be one of: application/json' },
  ],
}

/** One example for each code of the error table. */
export function errorExamples(): Record<string, unknown> {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  return Object.fromEntries(codes.map((code) => [code, errorExample(code)]))
}

function errorExample(code: ErrorCode): object {
  const details = DETAILS[code]
  const refusal = new ServiceError(code, details && { details })
  return { summary: ERRORS[code].message, value: toEnvelope(refusal) }
}

/** Headers that come with a refusal, by code. */
const HEADERS_OF: Partial<Record<ErrorCode, Readonly<Record<string, object>>>> = {
  UNAUTHORIZED: { 'WWW-Authenticate': HEADERS.WwwAuthenticate },
  METHOD_NOT_ALLOWED: { Allow: HEADERS.Allow },
  SERVICE_UNAVAILABLE: { 'Retry-After': HEADERS.RetryAfter },
  IDEMPOTENCY_KEY_IN_USE: { 'Retry-After': HEADERS.RetryAfter },
  RATE_LIMIT_EXCEEDED: { 'Retry-After': HEADERS.RetryAfter },
}
/** On one plane besides. */
const HEADERS_ON_PLANE: Partial<Record<Plane, typeof HEADERS_OF>> = {
  room: {
    OUTSIDE_TIME_WINDOW: {
      [WINDOW_OPENS_HEADER]: HEADERS.WindowOpensAt,
      [WINDOW_CLOSES_HEADER]: HEADERS.WindowClosesAt,
    },
    SESSION_RELEASED: { [RELEASED_HEADER]: HEADERS.SessionReleased },
  },
  control: { RATE_LIMIT_EXCEEDED: { 'Retry-After': HEADERS.RetryAfter, ...RATE_LIMIT_HEADERS } },
}

/** The refusals of an operation by status; each response names its own codes. */
export function errorResponses(
  codes: Iterable<ErrorCode>,
  { plane, publicUrl }: { plane: Plane; publicUrl: string },
): Record<string, ResponseObject> {
  const headersOf = { ...HEADERS_OF, ...HEADERS_ON_PLANE[plane] }
  const byStatus = new Map<string, ErrorCode[]>()
  for (const code of new Set(codes)) {
    const status = String(ERRORS[code].status)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      status,
      errorResponse(some, { headersOf, page: `${publicUrl}${ERRORS_PAGE}` }),
    ]),
  )
}

function errorResponse(
  codes: readonly ErrorCode[],
  { headersOf, page }: { headersOf: typeof HEADERS_OF; page: string },
): ResponseObject {
  return {
    description: codes
      .map((code) => `[\`${code}\`](${page}#${code}): ${ERRORS[code].message}`)
      .join('\n\n'),
    headers: Object.assign(
      { 'X-Request-Id': HEADERS.RequestId },
      ...codes.map((code) => headersOf[code]),
    ),
    content: {
      'application/json': {
        schema: ErrorResponse,
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  }
}
