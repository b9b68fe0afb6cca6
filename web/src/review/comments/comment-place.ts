import { timecode } from '../../i18n/times.ts'

export interface CommentPlace {
  /** Null: the comment is about the whole recording. */
  startSec: number | null
  /** Null for a moment. */
  endSec: number | null
}

/** `1:02`, or `1:02–1:09` for a range. */
export function placeText({ startSec, endSec }: CommentPlace): string {
  const start = timecode(startSec ?? 0)
  return endSec === null ? start : `${start}–${timecode(endSec)}`
}
