/** The error table of the contract: one row per code, with its HTTP status and its constant message. */
export const ERRORS = {
  INVALID_REQUEST: { status: 400, message: 'The request does not follow the contract.' },
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  UNKNOWN_ROLE: { status: 400, message: 'The role is not known.' },
  UNAUTHORIZED: { status: 401, message: 'The credentials are missing or not valid.' },
  NOT_FOUND: { status: 404, message: 'There is no such resource.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This method is not offered here.' },
  DUPLICATE_EXTERNAL_REF: { status: 409, message: 'This external reference already exists.' },
  SESSION_ALREADY_STARTED: { status: 409, message: 'Somebody has already entered the session.' },
  SESSION_RELEASED: { status: 409, message: 'The session has been released.' },
  PARTICIPANT_BANNED: { status: 409, message: 'The participant is banned from this room.' },
  RECORDING_NOT_AVAILABLE: { status: 409, message: 'The recording is not in the required state.' },
  PROCESSED_RECORDING_NOT_AVAILABLE: {
    status: 409,
    message: 'The processed recording is not in the required state.',
  },
  PROCESSED_RECORDING_ALREADY_EXISTS: {
    status: 409,
    message: 'The recording already has a processed recording.',
  },
  UPLOAD_NOT_FOUND: { status: 409, message: 'The object has not been uploaded.' },
  HANDOUT_IN_USE: { status: 409, message: 'The handout is being presented.' },
  TRANSCRIPTION_IN_PROGRESS: {
    status: 409,
    message: 'This recording is already being transcribed in this language.',
  },
  ROOM_CLOSED: { status: 409, message: 'The room is closed.' },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running.',
  },
  FILE_TOO_LARGE: { status: 413, message: 'The body or file is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'This media type is not accepted here.' },
  VALIDATION_ERROR: { status: 422, message: 'The request breaks a rule of the service.' },
  INVALID_TIME_WINDOW: { status: 422, message: 'The time window is not possible.' },
  OUTSIDE_TIME_WINDOW: { status: 422, message: 'Entry is not possible at this time.' },
  UNSUPPORTED_FILE_TYPE: { status: 422, message: 'This file type is not accepted.' },
  IDEMPOTENCY_KEY_CONFLICT: {
    status: 422,
    message: 'This Idempotency-Key was used with another request.',
  },
  IMMUTABLE_FIELD: { status: 422, message: 'This field cannot be changed.' },
  INVALID_STAMP: { status: 422, message: 'The stamp is not known.' },
  RATE_LIMIT_EXCEEDED: { status: 429, message: 'Too many requests.' },
  INTERNAL_ERROR: { status: 500, message: 'The service failed to answer.' },
  RTC_PROVISION_FAILED: { status: 502, message: 'The media room could not be created.' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service cannot answer at the moment.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof ERRORS

export const DETAIL_CODES = [
  'REQUIRED',
  'NOT_NULLABLE',
  'INVALID_TYPE',
  'INVALID_FORMAT',
  'INVALID_ENUM',
  'TOO_SHORT',
  'TOO_LONG',
  'OUT_OF_RANGE',
  'UNKNOWN_FIELD',
  'PAIR_REQUIRED',
  'NOT_ALLOWED',
  'IMMUTABLE',
  'BEFORE_STARTS_AT',
  'IN_PAST',
  'SLOT_TOO_LONG',
  'TRIM_RANGE_INVALID',
  'EXCEEDS_DURATION',
  'UNSUPPORTED_EXTENSION',
  'CONTENT_MISMATCH',
  'TOO_LARGE',
  'DUPLICATE',
  'CONSENT_REQUIRED',
  'ROOM_EMPTY',
] as const
export type DetailCode = (typeof DETAIL_CODES)[number]

/** One refused field; `field` is a dotted path of the request. An error carries at most 50. */
export interface ErrorDetail {
  field: string
  code: DetailCode
  message: string
}

export interface ErrorEnvelope {
  success: false
  error: { code: ErrorCode; message: string; details?: ErrorDetail[] }
}
