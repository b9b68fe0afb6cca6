/** What keeps a media file from being made. */
export type MediaFileProblem =
  /** There is no program to work on videos with. */
  | 'no_ffmpeg'
  /** It took longer than it may. */
  | 'timed_out'
  /** No room left for temporary files. */
  | 'disk_full'
  /** What was given is no media file, or a broken one. */
  | 'unreadable'
  /** It can be read, and nothing can be seen or heard in it. */
  | 'empty'
  /** The program failed, or made something else than was asked for. */
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

/** It is the fault of what was given; every other failure may be over at the next try. */
export function isUnreadable(error: unknown): error is MediaFileError {
  return error instanceof MediaFileError && error.problem === 'unreadable'
}

/** Another try makes no more of it. */
export function isEmpty(error: unknown): error is MediaFileError {
  return error instanceof MediaFileError && error.problem === 'empty'
}

/** A program failed, or was killed. That may be the fault of what was given, and says nothing about it. */
export function hasFailed(error: unknown): error is MediaFileError {
  return error instanceof MediaFileError && error.problem === 'failed'
}

/** The words of the system for what went wrong, such as `EIO`: it is not the fault of the file. */
export function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** Of a disk and of a quota, in the words of Node and of the system. */
const FULL = /\b(?:ENOSPC|EDQUOT)\b|No space left on device|Disk quota exceeded/

export const saysDiskFull = (text: string): boolean => FULL.test(text)

/** A full disk as what it means here; every other error as it is. */
export function diskFullOr(error: unknown): unknown {
  const isFull =
    error instanceof Error && saysDiskFull(String((error as NodeJS.ErrnoException).code))
  return isFull ? diskFull() : error
}

export function diskFull(): MediaFileError {
  return new MediaFileError('disk_full', 'the disk for temporary files is full')
}
