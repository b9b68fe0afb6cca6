import type { ReviewDictionary } from '../../i18n/review-ja.ts'
import { timecode } from '../../i18n/times.ts'
import type { AxisItem } from './lanes.ts'

/** `12:03 Marker, Sato: she reads it twice`, for the eye and for screen readers. */
export function itemWords(item: AxisItem, { axis }: ReviewDictionary): string {
  const { what, startSec, endSec, who, note, missingSec } = item
  const name = (axis.events as Readonly<Record<string, string>>)[what] ?? axis.lanes[item.lane]
  const times = endSec === null ? timecode(startSec) : `${timecode(startSec)}–${timecode(endSec)}`
  const missing = missingSec === null ? null : axis.missing(timecode(missingSec))
  const said = [name, who, missing].filter((each) => each !== null).join(axis.separator)
  return `${times} ${said}${note === null ? '' : axis.note(note)}`
}
