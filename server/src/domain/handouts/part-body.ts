import type { Readable } from 'node:stream'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'

/** Longest that a part may take in all; well within the life of an unclaimed file. */
const PART_MAX_MS = 30 * 60_000

/** The bytes of a part. Throws 400 INVALID_REQUEST when they break off or take half an hour. */
export async function* fullBody(body: Readable): AsyncGenerator<Buffer> {
  const late = setTimeout(() => body.destroy(new Error('the part takes too long')), PART_MAX_MS)
  try {
    yield* body as AsyncIterable<Buffer>
  } catch (cause) {
    throw brokenForm(cause)
  } finally {
    clearTimeout(late)
  }
}

/** 400 INVALID_REQUEST for a form that cannot be read to its end; refusals stay what they are. */
export function brokenForm(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause
  return refuseField(
    'INVALID_REQUEST',
    { field: 'body', code: 'INVALID_FORMAT', message: 'must be a complete multipart form' },
    { cause },
  )
}
