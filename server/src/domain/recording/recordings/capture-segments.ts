import {
  CAPTURE_EXTENSION,
  CaptureArchiveError,
  chunkPrefixOf,
  readCaptureSummary,
} from '@interview-room/composer/capture/capture-archive.ts'
import type { Storage } from '../../../platform/ports/storage.ts'
import type { Segment } from './segment.ts'

/** The key under which to request a segment's capture. The provider distinguishes captures by the extension. */
export function captureKeyOf(videoKey: string): string {
  return videoKey.replace(/\.mp4$/, CAPTURE_EXTENSION)
}

export interface StoredCapture {
  /** Its chunks in order, or its only object. At least one. */
  archives: readonly string[]
  sizeBytes: number
}

type CaptureStorage = Pick<Storage, 'head' | 'listWithPrefix' | 'read'>

/**
 * Finds the stored chunks of a capture. It is delivered in chunks while recording, so that a lost recorder costs only the
 * last seconds. Returns undefined when nothing is stored. Throws `StorageError`.
 */
export async function findCapture(
  storage: CaptureStorage,
  { storageKey }: Pick<Segment, 'storageKey'>,
): Promise<StoredCapture | undefined> {
  const chunks = await storage.listWithPrefix(chunkPrefixOf(storageKey))
  if (chunks.length > 0) {
    const sizeBytes = chunks.reduce((sum, chunk) => sum + chunk.sizeBytes, 0)
    return { archives: chunks.map(({ key }) => key), sizeBytes }
  }
  const whole = await storage.head(storageKey)
  return whole && { archives: [storageKey], sizeBytes: whole.sizeBytes }
}

/** Start and end of the captured time. Returns undefined for an object that is not a capture. Throws `StorageError`. */
export async function captureTimes(
  storage: CaptureStorage,
  { archives }: StoredCapture,
): Promise<{ startMs: number; endMs: number } | undefined> {
  try {
    // Each chunk contains the end of the capture so far.
    return await readCaptureSummary(await storage.read(archives.at(-1) ?? ''))
  } catch (error) {
    if (error instanceof CaptureArchiveError) return undefined
    throw error
  }
}
