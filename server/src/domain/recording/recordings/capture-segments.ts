import {
  CAPTURE_EXTENSION,
  CaptureArchiveError,
  readCaptureSummary,
} from '@interview-room/composer/capture/capture-archive.ts'
import type { Storage } from '../../../platform/ports/storage.ts'
import type { Segment } from './segment.ts'

/** Whether it holds what was captured, and no video yet. */
export function isCapture({ storageKey }: Pick<Segment, 'storageKey'>): boolean {
  return storageKey.endsWith(CAPTURE_EXTENSION)
}

/** Where a segment goes when its capture is asked for: the provider distinguishes them by the extension. */
export function captureKeyOf(videoKey: string): string {
  return videoKey.replace(/\.mp4$/, CAPTURE_EXTENSION)
}

/** How long what was captured is; undefined for what is no capture. Throws `StorageError`. */
export async function captureLengthSec(
  storage: Pick<Storage, 'read'>,
  { storageKey }: Pick<Segment, 'storageKey'>,
): Promise<number | undefined> {
  try {
    const { startMs, endMs } = await readCaptureSummary(await storage.read(storageKey))
    return (endMs - startMs) / 1000
  } catch (error) {
    if (error instanceof CaptureArchiveError) return undefined
    throw error
  }
}

/** Between two machines that ask each other, so much is nothing. */
const OFFSET_MIN_MS = 20

/**
 * How far the provider's clock is ahead of ours, at least: what it did between our question and its answer
 * happened, by its own clock, at another time.
 */
export function clockOffsetMs(
  providerAt: Date,
  { askedAt, answeredAt }: { askedAt: Date; answeredAt: Date },
): number {
  const early = providerAt.getTime() - askedAt.getTime()
  const late = providerAt.getTime() - answeredAt.getTime()
  const offset = Math.min(0, early) + Math.max(0, late)
  return Math.abs(offset) < OFFSET_MIN_MS ? 0 : offset
}
