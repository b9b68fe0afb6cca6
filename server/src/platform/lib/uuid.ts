import { randomUUID } from 'node:crypto'
import { systemClock } from './clock.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A time-ordered UUID (version 7, RFC 9562): the time in milliseconds, and the random part of a version 4. */
export function uuidv7(nowMs: number = systemClock().getTime()): string {
  const time = nowMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** The accepted form of ids, in any case. PostgreSQL would also accept braces and odd dashes. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/**
 * An id as the service writes it, in lower case: ids are compared as text. Some databases and languages print
 * UUIDs in upper case. Anything else stays as it is.
 */
export function toLowerCaseId(text: string): string {
  return isUuid(text) ? text.toLowerCase() : text
}
