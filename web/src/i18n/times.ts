import type { Locale } from '@interview-room/contract/vocabulary.ts'

const tag = (locale: Locale) => (locale === 'ja' ? 'ja-JP' : 'en-GB')

/** `11/21 15:00 – 16:00`, in English `21 Nov 15:00 – 16:00`, in local time. */
export function slotText(slot: { starts_at: string; ends_at: string }, locale: Locale): string {
  return `${momentText(slot.starts_at, locale)} – ${clockText(new Date(slot.ends_at), locale)}`
}

/** `15:00–16:00`, in local time. */
export function timeSpanText(slot: { starts_at: string; ends_at: string }, locale: Locale): string {
  return `${clockText(new Date(slot.starts_at), locale)}–${clockText(new Date(slot.ends_at), locale)}`
}

/** `11/21 15:00`, in English `21 Nov 15:00`, in local time. The year is added if it is not the current one. */
export function momentText(at: string, locale: Locale): string {
  const moment = new Date(at)
  const isThisYear = moment.getFullYear() === new Date().getFullYear()
  // Half of the readers of English would take a numeric month for the day, and the other way round.
  const month = locale === 'ja' ? 'numeric' : 'short'
  const day = moment.toLocaleDateString(tag(locale), {
    ...(!isThisYear && { year: 'numeric' }),
    month,
    day: 'numeric',
  })
  return `${day} ${clockText(moment, locale)}`
}

export function timeText(at: string, locale: Locale): string {
  return new Date(at).toLocaleTimeString(tag(locale), { hourCycle: 'h23' })
}

/** `1:02:03`, or `2:03` under an hour. */
export function durationText(sec: number): string {
  const minutes = Math.floor(sec / 60)
  if (minutes < 60) return `${minutes}:${two(sec % 60)}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(sec % 60)}`
}

/** Hour and minute. */
export function clockText(at: Date, locale: Locale): string {
  return at.toLocaleTimeString(tag(locale), { hour: '2-digit', minute: '2-digit' })
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

/** `m:ss`, or `h:mm:ss` from one hour on. */
export function timecode(totalSec: number): string {
  const whole = Math.max(0, Math.floor(totalSec))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const seconds = String(whole % 60).padStart(2, '0')
  return hours === 0
    ? `${minutes}:${seconds}`
    : `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`
}

/** `1:02`, or `1:02–1:09` for a range. */
export function spanText(startSec: number, endSec: number | null): string {
  return endSec === null ? timecode(startSec) : `${timecode(startSec)}–${timecode(endSec)}`
}

/** `1:02.3`: ends of clips are exact to a tenth of a second. */
export function tenthsText(sec: number): string {
  const tenths = Math.round(sec * 10)
  return `${timecode(Math.floor(tenths / 10))}.${tenths % 10}`
}
