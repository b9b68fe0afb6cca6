import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { IMAGE_MAX_PIXELS } from '@interview-room/contract/limits.ts'
import { refuseField } from '../lib/service-error.ts'
import type { Storage } from '../ports/storage.ts'
import { type GivenBytes, requireGiven } from '../storage/returned-bytes.ts'
import { IMAGE_TYPES } from './complete-image.ts'
import { createImageDecoder } from './image-decoder.ts'

/** The decoder of the process, whose images wait for each other. It starts with the first image. */
const judgeImage = createImageDecoder()

interface StoredImage {
  key: string
  mime: string
  /** The field of the request that the refusal names. */
  field: string
  /** Bytes that differ are the storage's fault. */
  given: GivenBytes
}

/**
 * Throws 422 UNSUPPORTED_FILE_TYPE unless a stored object whose name says that it is an image can be decoded completely, within
 * limits for pixels, frames and time; 503 SERVICE_UNAVAILABLE if too many wait. Other files pass. The caller has checked the size
 * in bytes. Throws `StorageError` if the storage returns other bytes. Returns a PNG of an image that no browser shows.
 */
export async function refuseUndecodable(
  storage: Pick<Storage, 'read'>,
  { key, mime, field, given }: StoredImage,
): Promise<Buffer | undefined> {
  const type = IMAGE_TYPES.find((each) => each === mime)
  if (type === undefined) return undefined
  const verdict = await judgeImage(async () => {
    const bytes = await buffer(await storage.read(key, { isAwaited: true }))
    await requireGiven(Readable.from([bytes]), given)
    return { bytes, type, maxPixels: IMAGE_MAX_PIXELS }
  })
  if (verdict === null) return undefined
  if (verdict instanceof Uint8Array)
    return Buffer.from(verdict.buffer, verdict.byteOffset, verdict.length)
  throw verdict === 'too_many_pixels' ? tooLarge(field) : undecodable(field)
}

function tooLarge(field: string) {
  const message = `must have at most ${IMAGE_MAX_PIXELS} pixels`
  return refuseField('UNSUPPORTED_FILE_TYPE', { field, code: 'TOO_LARGE', message })
}

function undecodable(field: string) {
  const message = 'is not an image that can be decoded to its end'
  return refuseField('UNSUPPORTED_FILE_TYPE', { field, code: 'CONTENT_MISMATCH', message })
}
