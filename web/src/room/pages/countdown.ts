import type { Locale } from '@interview-room/contract/vocabulary.ts'

const SEC_MS = 1000

/** `1:02:03`, or `02:03` under an hour; never below zero. A second that has begun counts whole. */
export function countdownText(leftMs: number): string {
  const leftSec = Math.max(0, Math.ceil(leftMs / SEC_MS))
  const [hours, minutes, seconds] = [
    Math.floor(leftSec / 3600),
    Math.floor(leftSec / 60) % 60,
    leftSec % 60,
  ]
  const clock = `${two(minutes)}:${two(seconds)}`
  return hours === 0 ? clock : `${hours}:${clock}`
}

/** Day and 24-hour time of a moment, in the given zone. */
export function momentText(at: Date, locale: Locale, timeZone: string): string {
  return new Intl.DateTimeFormat(locale === 'ja' ? 'ja-JP' : 'en-GB', {
    month: locale === 'ja' ? 'long' : 'short',
    day: 'numeric',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(at)
}

/** The zone's name as people say it; Japan's also by its short name. */
export function zoneText(at: Date, locale: Locale, timeZone: string): string {
  if (timeZone === 'Asia/Tokyo') return locale === 'ja' ? '日本時間 JST' : 'Japan time, JST'
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'long' }).formatToParts(
    at,
  )
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? timeZone
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
