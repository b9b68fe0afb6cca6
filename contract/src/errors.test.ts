import { describe, expect, test } from 'vitest'
import { ERRORS } from './errors.ts'

/** The error table of the contract, part A, "Errors", typed in independently of the code. */
const PUBLISHED: readonly (readonly [status: number, code: string])[] = [
  [400, 'INVALID_REQUEST'],
  [400, 'INVALID_JSON'],
  [400, 'UNKNOWN_ROLE'],
  [401, 'UNAUTHORIZED'],
  [404, 'NOT_FOUND'],
  [409, 'DUPLICATE_EXTERNAL_REF'],
  [409, 'SESSION_ALREADY_STARTED'],
  [409, 'SESSION_RELEASED'],
  [409, 'PARTICIPANT_BANNED'],
  [409, 'RECORDING_NOT_AVAILABLE'],
  [409, 'PROCESSED_RECORDING_NOT_AVAILABLE'],
  [409, 'PROCESSED_RECORDING_ALREADY_EXISTS'],
  [409, 'UPLOAD_NOT_FOUND'],
  [409, 'HANDOUT_IN_USE'],
  [409, 'TRANSCRIPTION_IN_PROGRESS'],
  [409, 'ROOM_CLOSED'],
  [413, 'FILE_TOO_LARGE'],
  [422, 'VALIDATION_ERROR'],
  [422, 'INVALID_TIME_WINDOW'],
  [422, 'OUTSIDE_TIME_WINDOW'],
  [422, 'UNSUPPORTED_FILE_TYPE'],
  [422, 'IDEMPOTENCY_KEY_CONFLICT'],
  [422, 'IMMUTABLE_FIELD'],
  [422, 'INVALID_STAMP'],
  [429, 'RATE_LIMIT_EXCEEDED'],
  [502, 'RTC_PROVISION_FAILED'],
]

describe('the error table', () => {
  // contract: Error codes › Their HTTP statuses are those of the contract for every code
  test.each(PUBLISHED)('answers %i for %s', (status, code) => {
    expect(ERRORS).toHaveProperty(code)
    expect(ERRORS[code as keyof typeof ERRORS].status).toBe(status)
  })

  // contract: Tenant isolation › 403 is never returned; FORBIDDEN is not used
  test('has no 403: a foreign resource looks like a missing one', () => {
    expect(Object.values(ERRORS).map((error) => error.status)).not.toContain(403)
  })
})
