import { ERRORS, type ErrorEnvelope } from '@interview-room/contract/errors.ts'
import { BODY_MAX } from '@interview-room/contract/operations/operation.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sqlStateOf } from '../../platform/db/db.ts'
import { DatabaseUnavailable } from '../../platform/db/unavailable.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { StorageError } from '../../platform/ports/storage.ts'
import { oneOf } from './fault-messages.ts'

/** Answers any error with the envelope: refusals as they are, defects without internal details. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toServiceError(error, request)
  const { code } = refusal
  if (code === 'INTERNAL_ERROR') request.log.error({ err: error }, 'unhandled error')
  else if (ERRORS[code].status >= 500) request.log.warn({ err: refusal }, 'dependency failed')
  // The caller gets nothing but 401; the operator can read in the log which check failed.
  else if (code === 'UNAUTHORIZED' && refusal.note !== undefined) {
    const { note: reason, reasonCode } = refusal
    request.log.info({ reason, ...(reasonCode && { reasonCode }) }, 'credential refused')
  }
  request.errorCode = code
  void reply
    .code(ERRORS[code].status)
    .headers(refusal.headers)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(toEnvelope(refusal))
}

export function toEnvelope({ code, details }: ServiceError): ErrorEnvelope {
  const { message } = ERRORS[code]
  return { success: false, error: { code, message, ...(details && { details }) } }
}

const RETRY_AFTER_SEC = 2

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', {
    headers: { 'retry-after': String(RETRY_AFTER_SEC) },
    cause,
  })
}

type RequestedAddress = Pick<FastifyRequest, 'routeOptions'>

function toServiceError(error: unknown, request: RequestedAddress): ServiceError {
  if (error instanceof ServiceError) {
    const isOfType = error.code === 'UNSUPPORTED_MEDIA_TYPE' && error.details === undefined
    return isOfType ? refuseMediaType(request) : error
  }
  if (isDependencyFailure(error)) return unavailable(error)
  // Text that PostgreSQL cannot hold came from a request: the schemas let it through.
  if (isOneOf(sqlStateOf(error), UNUSABLE_TEXT)) {
    return new ServiceError('INVALID_REQUEST', { cause: error })
  }
  return ofFastify(error, request) ?? new ServiceError('INTERNAL_ERROR', { cause: error })
}

const UNUSABLE_TEXT = ['22021', '22P05']

/** SQLSTATE of a database that is down, full, restarting, too slow or has become a standby (prefixes). */
const DATABASE_FAILURES = [
  '08',
  '53',
  '57P0',
  '57014',
  '55P03',
  '40001',
  '40P01',
  '25P03',
  '25006',
  '58',
]
/** Codes of Node for a network failure: nothing answers at the address. */
const CONNECTION_FAILURES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]

function isDependencyFailure(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  if (error instanceof MediaError || error instanceof StorageError) return true
  const state = sqlStateOf(error)
  if (state !== undefined) return DATABASE_FAILURES.some((prefix) => state.startsWith(prefix))
  return isOneOf(codeOf(error), CONNECTION_FAILURES)
}

/** The framework's own refusals: bodies that are too large, of a wrong type, broken off. */
function ofFastify(error: unknown, request: RequestedAddress): ServiceError | undefined {
  const code = codeOf(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuseBody(request)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refuseMediaType(request)
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new ServiceError('NOT_FOUND')
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 404) return new ServiceError('NOT_FOUND')
  return status < 500 ? new ServiceError('INVALID_REQUEST', { cause: error }) : undefined
}

function refuseBody({ routeOptions }: RequestedAddress): ServiceError {
  const { bytes } = routeOptions.config.operation?.bodyMax ?? BODY_MAX
  return refuseField('FILE_TOO_LARGE', {
    field: 'body',
    code: 'TOO_LARGE',
    message: `must have at most ${bytes} bytes`,
  })
}

/** Names the methods that the operation takes instead. */
export function refuseMediaType({ routeOptions }: RequestedAddress): ServiceError {
  const { operation } = routeOptions.config
  const patches = operation?.method === 'PATCH' ? ['application/merge-patch+json'] : []
  const taken =
    operation?.form === undefined ? ['application/json', ...patches] : ['multipart/form-data']
  return refuseField('UNSUPPORTED_MEDIA_TYPE', {
    field: 'Content-Type',
    code: 'INVALID_ENUM',
    message: oneOf(taken),
  })
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

function isOneOf(word: string | undefined, words: readonly string[]): boolean {
  return word !== undefined && words.includes(word)
}
