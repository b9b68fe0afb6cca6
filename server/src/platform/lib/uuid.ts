import { randomBytes } from 'node:crypto'
import { systemClock } from './clock.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A time-ordered UUID (version 7, RFC 9562). */
export function uuidv7(nowMs: number = systemClock().getTime()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f)
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** As ids are accepted, in any case; PostgreSQL would take braces and odd dashes too. */
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
