import type { Readable } from 'node:stream'
import { refuseField, ServiceError } from '../lib/service-error.ts'

/** Longest silence of a sender in the middle of a part. */
const IDLE_MS = 30_000

/** The bytes of a part. Throws 400 INVALID_REQUEST when they break off or stop coming. */
export async function* wholeBody(body: Readable): AsyncGenerator<Buffer> {
  const idle = setTimeout(() => body.destroy(new Error('the sender fell silent')), IDLE_MS)
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      idle.refresh()
      yield chunk
    }
  } catch (cause) {
    throw brokenForm(cause)
  } finally {
    clearTimeout(idle)
  }
}

/** 400 INVALID_REQUEST for a form that cannot be read to its end; refusals stay what they are. */
export function brokenForm(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause
  return refuseField(
    'INVALID_REQUEST',
    { field: 'body', code: 'INVALID_FORMAT', message: 'is not a whole multipart form' },
    { cause },
  )
}
