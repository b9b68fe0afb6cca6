/** Minutes before the end at which people are reminded, the last one first. */
const WARNINGS_MIN = [1, 5, 10] as const
/** 0 means that the window has ended, and participants are about to be removed. */
export type WarningMin = (typeof WARNINGS_MIN)[number] | 0

/** How long the reminders at ten and five minutes stay. The last ones stay until the removal. */
const SHOWN_MS = 60_000
const MINUTE_MS = 60_000

/** The reminder to show `leftMs` before the window ends, or null. */
export function warningAt(leftMs: number): WarningMin | null {
  if (leftMs <= 0) return 0
  const reached = WARNINGS_MIN.find((minutes) => leftMs <= minutes * MINUTE_MS)
  if (reached === undefined) return null
  const isFresh = leftMs > reached * MINUTE_MS - SHOWN_MS
  return isFresh || reached === 1 ? reached : null
}
