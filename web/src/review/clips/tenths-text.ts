import type { ClipBody } from '@interview-room/contract/clips.ts'
import { timecode } from '../../i18n/times.ts'

/** `1:02.3`: ends of clips are exact to a tenth of a second. */
export function tenthsText(sec: number): string {
  const tenths = Math.round(sec * 10)
  return `${timecode(Math.floor(tenths / 10))}.${tenths % 10}`
}

/** The title of a clip, or its range. */
export function nameOf({ title, start_sec: startSec, end_sec: endSec }: ClipBody): string {
  return title ?? `${tenthsText(startSec)}–${tenthsText(endSec)}`
}
