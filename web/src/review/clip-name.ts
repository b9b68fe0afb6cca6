import type { ClipBody } from '@interview-room/contract/clips.ts'
import { tenthsText } from '../i18n/times.ts'

/** The title of a clip, or its range. */
export function nameOf({ title, start_sec: startSec, end_sec: endSec }: ClipBody): string {
  return title ?? `${tenthsText(startSec)}–${tenthsText(endSec)}`
}
