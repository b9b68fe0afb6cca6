import { timecode } from '../../i18n/times.ts'

export type SlotTimes =
  | { phase: 'before'; wait: string }
  | { phase: 'running'; elapsed: string; remaining: string }
  | { phase: 'over'; over: string }

/** The progress of a slot at `nowMs`. Elapsed and remaining time always add up to its length. */
export function slotTimes(
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
  nowMs: number,
): SlotTimes {
  const elapsedSec = Math.floor((nowMs - startsAt.getTime()) / 1000)
  const lengthSec = Math.round((endsAt.getTime() - startsAt.getTime()) / 1000)
  if (elapsedSec < 0) return { phase: 'before', wait: timecode(-elapsedSec) }
  if (elapsedSec >= lengthSec) return { phase: 'over', over: timecode(elapsedSec - lengthSec) }
  const remaining = timecode(lengthSec - elapsedSec)
  return { phase: 'running', elapsed: timecode(elapsedSec), remaining }
}
