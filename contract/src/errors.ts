/** The error table of the contract: one row per code, with its HTTP status and its fixed message. */
export const ERRORS = {
  INVALID_REQUEST: { status: 400, message: 'The request does not match the API description.' },
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  UNKNOWN_ROLE: { status: 400, message: 'The token has a role that does not exist.' },
  UNAUTHORIZED: { status: 401, message: 'The credential is missing or not valid.' },
  NOT_FOUND: { status: 404, message: 'There is no such resource.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This address does not support the method. The header Allow lists those it supports.',
  },
  DUPLICATE_EXTERNAL_REF: {
    status: 409,
    message: 'A session with this external reference already exists.',
  },
  SESSION_ALREADY_STARTED: {
    status: 409,
    message: 'Someone has already entered, so the slot cannot move.',
  },
  SESSION_RELEASED: { status: 409, message: 'The session is cancelled or its room is closed.' },
  PARTICIPANT_BANNED: { status: 409, message: 'The participant is banned from this room.' },
  RECORDING_NOT_AVAILABLE: { status: 409, message: 'The recording is not in the required state.' },
  PROCESSED_RECORDING_NOT_AVAILABLE: {
    status: 409,
    message: 'The processed recording is not in the required state.',
  },
  CLIP_NOT_AVAILABLE: { status: 409, message: 'The clip has no file.' },
  PROCESSED_RECORDING_ALREADY_EXISTS: {
    status: 409,
    message: 'The recording already has a processed recording. Delete it first.',
  },
  UPLOAD_NOT_FOUND: {
    status: 409,
    message: 'The file has not been uploaded, or is still being written.',
  },
  HANDOUT_IN_USE: { status: 409, message: 'The handout is being shown. Hide it first.' },
  TRANSCRIPTION_IN_PROGRESS: {
    status: 409,
    message: 'This recording is already being transcribed in this language.',
  },
  ROOM_CLOSED: { status: 409, message: 'The room is closed and cannot change.' },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running. Try again.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    message: 'There is a newer version than the one that If-Match names.',
  },
  FILE_TOO_LARGE: { status: 413, message: 'The body or the file is too large.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'This operation does not accept a body of this type or encoding.',
  },
  VALIDATION_ERROR: { status: 422, message: 'The request breaks a rule of the service.' },
  INVALID_TIME_WINDOW: { status: 422, message: 'The slot is not possible.' },
  OUTSIDE_TIME_WINDOW: { status: 422, message: 'Entry is not possible at this time.' },
  UNSUPPORTED_FILE_TYPE: { status: 422, message: 'This type of file is not accepted.' },
  IDEMPOTENCY_KEY_CONFLICT: {
    status: 422,
    message: 'This key or id was already used for another request.',
  },
  IMMUTABLE_FIELD: { status: 422, message: 'This field cannot change after creation.' },
  INVALID_STAMP: {
    status: 422,
    message: 'Your role has no such stamp in this visibility.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    message: 'Too many requests. Wait as long as Retry-After says.',
  },
  INTERNAL_ERROR: { status: 500, message: 'The service failed to process the request.' },
  RTC_PROVISION_FAILED: {
    status: 502,
    message: 'The media server did not respond as needed. Try again.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service is temporarily unavailable. Try again.',
  },
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
  'QUOTA_EXCEEDED',
  'PASSWORD_WRONG',
] as const
export type DetailCode = (typeof DETAIL_CODES)[number]

/** One refused field. `field` is its dotted path in the request. An error has at most 50 details. */
export interface ErrorDetail {
  field: string
  code: DetailCode
  message: string
}

export interface ErrorEnvelope {
  success: false
  error: { code: ErrorCode; message: string; details?: ErrorDetail[] }
}
