const ID_MAX = 128
/** The last that RFC 3339 can write, whatever dates of JavaScript and of the database hold. */
const LATEST_MS = Date.UTC(10_000, 0) - 1

/** A name or an id as the media provider reports it: 1 to 128 characters, which the database can hold. */
export function isReportedName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= ID_MAX &&
    value.isWellFormed() &&
    !value.includes('\0')
  )
}

/** A time that the media provider reports, in ms since 1970; undefined for one that nothing can hold. */
export function readReportedTime(ms: number): Date | undefined {
  return Number.isSafeInteger(ms) && ms >= 0 && ms <= LATEST_MS ? new Date(ms) : undefined
}
