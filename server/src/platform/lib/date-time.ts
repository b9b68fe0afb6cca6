const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|[+-](\d{2}):(\d{2}))$/i
const MS_DIGITS = 3

/**
 * A moment in RFC 3339 with a zone, cut to milliseconds; undefined for everything else, days that
 * do not exist, 24:00 and leap seconds included, and what is in UTC no year of four digits.
 */
export function parseDateTime(text: string): Date | undefined {
  const parts = RFC_3339.exec(text)
  if (parts === null) return undefined
  const [, year, month, day, hour, minute, second, fraction, zoneHour = 0, zoneMinute = 0] = parts
  const isTime = Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 59
  const isZone = Number(zoneHour) <= 23 && Number(zoneMinute) <= 59
  if (!isTime || !isZone || !isDay(Number(year), Number(month), Number(day))) return undefined

  const isCut = fraction === undefined || fraction.length === MS_DIGITS
  const cut = isCut ? text : text.replace(`.${fraction}`, `.${toMs(fraction)}`)
  const date = new Date(cut.toUpperCase())
  return isYear(date.getUTCFullYear()) ? date : undefined
}

/** A text that the schema has let through. */
export function checkedDateTime(text: string): Date {
  const date = parseDateTime(text)
  if (date === undefined) throw new Error('the schema lets through what the parser refuses')
  return date
}

/** RFC 3339 can write no other, and answers are in UTC. */
function isYear(year: number): boolean {
  return year >= 1 && year <= 9999
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1 || !isYear(year)) return false
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}

function toMs(fraction: string): string {
  return fraction.slice(0, MS_DIGITS).padEnd(MS_DIGITS, '0')
}
