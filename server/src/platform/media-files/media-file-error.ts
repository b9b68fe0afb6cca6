/** Reasons why a media file cannot be made. */
export type MediaFileProblem =
  /** ffmpeg is not installed. */
  | 'no_ffmpeg'
  /** It took longer than its deadline. */
  | 'timed_out'
  /** No room left for temporary files. */
  | 'disk_full'
  /** The source is no media file, or a broken one. */
  | 'unreadable'
  /** The source can be read, but has no picture and no sound. */
  | 'empty'
  /** The program failed, or made a wrong file. */
  | 'failed'

/** Its message is a fixed sentence: never an address, a path or what a program wrote. */
export class MediaFileError extends Error {
  override name = 'MediaFileError'
  readonly problem: MediaFileProblem

  constructor(problem: MediaFileProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

/** The source is the cause. Any other failure may be gone at the next attempt. */
export function isUnreadable(error: unknown): error is MediaFileError {
  return error instanceof MediaFileError && error.problem === 'unreadable'
}

/** Another attempt would fail in the same way. */
export function isEmpty(error: unknown): error is MediaFileError {
  return error instanceof MediaFileError && error.problem === 'empty'
}

/** A program failed, or was killed. The source may be the cause, but it need not. */
export function hasFailed(error: unknown): error is MediaFileError {
  return error instanceof MediaFileError && error.problem === 'failed'
}

/** The program took longer than its deadline. */
export function isTimedOut(error: unknown): error is MediaFileError {
  return error instanceof MediaFileError && error.problem === 'timed_out'
}

/** The error code of the system, such as `EIO`: the file is not the cause. */
export function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** Messages of Node and of the system for a full disk and a used-up quota. */
const FULL = /\b(?:ENOSPC|EDQUOT)\b|No space left on device|Disk quota exceeded/

export const saysDiskFull = (text: string): boolean => FULL.test(text)

/** Converts the error of a full disk; returns every other error unchanged. */
export function diskFullOr(error: unknown): unknown {
  const isFull =
    error instanceof Error && saysDiskFull(String((error as NodeJS.ErrnoException).code))
  return isFull ? diskFull() : error
}

export function diskFull(): MediaFileError {
  return new MediaFileError('disk_full', 'the disk for temporary files is full')
}
