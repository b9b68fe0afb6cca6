const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|[+-](\d{2}):(\d{2}))$/i

/**
 * A moment in RFC 3339 with a zone, cut to milliseconds; undefined for everything else, days that
 * do not exist, 24:00 and leap seconds included, and what is in UTC no year of four digits.
 */
export function parseDateTime(text: string): Date | undefined {
  const parts = RFC_3339.exec(text)
  if (parts === null) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number)
  const isTime = hour! <= 23 && minute! <= 59 && second! <= 59
  const isZone = Number(parts[8] ?? 0) <= 23 && Number(parts[9] ?? 0) <= 59
  if (!isTime || !isZone || !isDay(year!, month!, day!)) return undefined

  const fraction = parts[7]
  const cut = fraction === undefined ? text : text.replace(`.${fraction}`, `.${toMs(fraction)}`)
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
  return fraction.slice(0, 3).padEnd(3, '0')
}
