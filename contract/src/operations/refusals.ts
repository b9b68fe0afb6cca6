/** The refusals of an entry. */
export const ADMISSION_REFUSALS = [
  'SESSION_RELEASED',
  'PARTICIPANT_BANNED',
  'OUTSIDE_TIME_WINDOW',
] as const

/** The refusals of an operation that only some roles may use. */
export const BY_ROLE = ['VALIDATION_ERROR', ...ADMISSION_REFUSALS] as const
