import type { Locale } from '@interview-room/contract/vocabulary.ts'

const SEC_MS = 1000
/** A line is not broken at either character. The second one has no width. */
const NO_BREAK_SPACE = '\u00a0'
const WORD_JOINER = '\u2060'

/** `1:02:03`, or `02:03` under an hour. Never negative; a started second counts in full. */
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

/** The start and end of the window, with the day and 24-hour time in the given zone. */
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

/** The time of the interview in the person's zone, with the zone's name. */
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
    // In Japanese a line may be broken on either side of 月 and 日.
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

/** The zone's name as people say it, kept on one line if it is short. Japan's zone also has its abbreviation. */
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
