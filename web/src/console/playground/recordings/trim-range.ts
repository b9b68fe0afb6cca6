export type RangeProblem = 'notRange' | 'tooLong'

interface Range {
  trim_start_sec: number
  trim_end_sec: number
}

/** What is wrong with a range of a recording of this length; null when nothing is. */
export function rangeProblem(
  { trim_start_sec: start, trim_end_sec: end }: Range,
  lengthSec: number,
): RangeProblem | null {
  const isRange = Number.isFinite(start) && Number.isFinite(end) && start >= 0 && start < end
  if (!isRange) return 'notRange'
  return end > lengthSec ? 'tooLong' : null
}
