import type { ErrorCode } from '@interview-room/contract/errors.ts'

export type AddProblem = 'fileType' | 'tooLarge' | 'failed'

/** Why a file was not added, in the words that the page explains. */
export function problemOf(code: ErrorCode | 'OFFLINE'): AddProblem {
  if (code === 'UNSUPPORTED_FILE_TYPE') return 'fileType'
  return code === 'FILE_TOO_LARGE' ? 'tooLarge' : 'failed'
}
