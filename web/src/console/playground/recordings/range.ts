export type RangeProblem = 'notRange' | 'tooLong'

/** A range of a recording, in seconds. */
export interface Range {
  startSec: number
  endSec: number
}

/** The problem of a range in a recording of this length; null if it is valid. */
export function rangeProblem({ startSec, endSec }: Range, lengthSec: number): RangeProblem | null {
  const isRange =
    Number.isFinite(startSec) && Number.isFinite(endSec) && startSec >= 0 && startSec < endSec
  if (!isRange) return 'notRange'
  return endSec > lengthSec ? 'tooLong' : null
}
