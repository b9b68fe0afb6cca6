export type RangeProblem = 'notRange' | 'tooLong'

/** Of a recording, in seconds. */
export interface Range {
  startSec: number
  endSec: number
}

/** What is wrong with a range of a recording of this length; null when nothing is. */
export function rangeProblem({ startSec, endSec }: Range, lengthSec: number): RangeProblem | null {
  const isRange =
    Number.isFinite(startSec) && Number.isFinite(endSec) && startSec >= 0 && startSec < endSec
  if (!isRange) return 'notRange'
  return endSec > lengthSec ? 'tooLong' : null
}
