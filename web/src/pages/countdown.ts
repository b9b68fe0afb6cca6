import type { Locale } from '@interview-room/contract/vocabulary.ts'

const SEC_MS = 1000
/** No line is broken at either; the second has no width. */
const NO_BREAK_SPACE = '\u00a0'
const WORD_JOINER = '\u2060'

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

/** From when until when, by day and 24-hour time in the given zone. */
export function windowText(
  { opensAt, closesAt }: { opensAt: Date; closesAt: Date },
  locale: Locale,
  timeZone: string,
): string {
  const opens = momentText(opensAt, locale, timeZone)
  const closes = momentText(closesAt, locale, timeZone)
  const dash = locale === 'ja' ? '～' : ' – '
  const isOneDay = opens.day === closes.day
  const until = isOneDay ? closes.time : `${closes.day} ${closes.time}`
  return `${opens.day} ${opens.time}${dash}${until}`
}

/** When the interview is, in the zone of the person, which is named. */
export function appointmentText(
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
  locale: Locale,
  timeZone: string,
): string {
  const times = windowText({ opensAt: startsAt, closesAt: endsAt }, locale, timeZone)
  const zone = zoneText(startsAt, locale, timeZone)
  return locale === 'ja' ? `${times}（${zone}）` : `${times} (${zone})`
}

function momentText(at: Date, locale: Locale, timeZone: string): { day: string; time: string } {
  const language = locale === 'ja' ? 'ja-JP' : 'en-GB'
  const month = locale === 'ja' ? 'long' : 'short'
  const day = at.toLocaleDateString(language, {
    month,
    day: 'numeric',
    weekday: 'short',
    timeZone,
  })
  return {
    // On both sides of 月 and 日 a line may be broken in Japanese.
    day: day
      .replaceAll(' ', NO_BREAK_SPACE)
      .replaceAll(/(?<=\d)(?=[月日])|(?<=[月日])(?=[\d(])/gu, WORD_JOINER),
    time: at.toLocaleTimeString(language, {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
    }),
  }
}

/** The zone's name as people say it, on one line where it is short; Japan's also by its short name. */
export function zoneText(at: Date, locale: Locale, timeZone: string): string {
  if (timeZone === 'Asia/Tokyo') {
    const name = locale === 'ja' ? ['日本時間', 'JST'] : ['Japan', 'time,', 'JST']
    return name.join(NO_BREAK_SPACE)
  }
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'long' }).formatToParts(
    at,
  )
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? timeZone
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
