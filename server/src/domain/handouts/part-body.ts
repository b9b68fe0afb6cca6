import type { Readable } from 'node:stream'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'

/** Longest time to receive a part. It is much shorter than the lifetime of an unclaimed file. */
const PART_MAX_MS = 30 * 60_000

/** The bytes of a part. Throws 400 INVALID_REQUEST when it breaks off or takes half an hour. */
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

/** The refusal of a form that cannot be read to its end: 400 INVALID_REQUEST. Other refusals stay as they are. */
export function brokenForm(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause
  return refuseField(
    'INVALID_REQUEST',
    { field: 'body', code: 'INVALID_FORMAT', message: 'must be a complete multipart form' },
    { cause },
  )
}
