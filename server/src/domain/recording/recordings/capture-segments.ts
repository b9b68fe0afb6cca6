import {
  CAPTURE_EXTENSION,
  CaptureArchiveError,
  chunkPrefixOf,
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

/** What the storage has of a capture. */
export interface StoredCapture {
  /** Its chunks in order, or its one object. At least one. */
  archives: readonly string[]
  sizeBytes: number
}

type CaptureStorage = Pick<Storage, 'head' | 'listWithPrefix' | 'read'>

/**
 * A capture is delivered in chunks while it is recorded, so that of a recorder that never came back everything
 * but the last seconds is there. Undefined when there is nothing. Throws `StorageError`.
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

/** From when until when was captured; undefined for what is no capture. Throws `StorageError`. */
export async function captureTimes(
  storage: CaptureStorage,
  { archives }: StoredCapture,
): Promise<{ startMs: number; endMs: number } | undefined> {
  try {
    // Each says how far the capture goes.
    return await readCaptureSummary(await storage.read(archives.at(-1) ?? ''))
  } catch (error) {
    if (error instanceof CaptureArchiveError) return undefined
    throw error
  }
}

/** Nothing of a capture counts that came after it was to end, in milliseconds by the clock of the capture. */
export function captureEndMsOf({
  endsAskedAt,
  clockOffsetMs,
}: Pick<Segment, 'endsAskedAt' | 'clockOffsetMs'>): number | undefined {
  return endsAskedAt === null ? undefined : endsAskedAt.getTime() + (clockOffsetMs ?? 0)
}

/** How much of what was captured will be in the file: its recorder may have heard late that it was to end. */
export function usedSecOf(
  segment: Pick<Segment, 'storageKey' | 'startedAt' | 'endsAskedAt' | 'clockOffsetMs'>,
  capturedSec: number,
): number {
  const endMs = captureEndMsOf(segment)
  if (!isCapture(segment) || segment.startedAt === null || endMs === undefined) return capturedSec
  return Math.min(capturedSec, Math.max(0, endMs - segment.startedAt.getTime()) / 1000)
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
