import type { Storage } from '../../../platform/ports/storage.ts'
import {
  captureTimes,
  findCapture,
  type StoredCapture,
  findFile,
} from '../recordings/measure-segment.ts'
import { captureEndMsOf, type CompleteSegment, isCapture } from '../recordings/segment.ts'

/** The stored parts of captured segments, by segment id. */
export type StoredCaptures = ReadonlyMap<string, StoredCapture>

type SegmentStorage = Pick<Storage, 'head' | 'listWithPrefix' | 'locate' | 'read'>

/** Looks up the stored parts of segments. `missing`: those that are not stored, or not whole. Throws `StorageError`. */
export async function findStored(
  storage: SegmentStorage,
  segments: readonly CompleteSegment[],
): Promise<{ captures: StoredCaptures; missing: readonly CompleteSegment[] }> {
  const captures = new Map<string, StoredCapture>()
  const missing: CompleteSegment[] = []
  for (const segment of segments) {
    if (isCapture(segment)) {
      const capture = await findCapture(storage, segment)
      if (capture === undefined) missing.push(segment)
      else captures.set(segment.id, capture)
    } else if ((await findFile(storage, { ...segment, isVideo: true })) === undefined) {
      missing.push(segment)
    }
  }
  return { captures, missing }
}

/**
 * True if more of captured segments has arrived since an earlier check. Data captured after the request to end does not
 * count, because a recorder that does not receive that would deliver without end. Throws `StorageError`.
 */
export async function hasMore(
  storage: SegmentStorage,
  segments: readonly CompleteSegment[],
  before: StoredCaptures,
): Promise<boolean> {
  const { captures } = await findStored(
    storage,
    segments.filter((segment) => isCapture(segment)),
  )
  for (const segment of segments) {
    const [former, current] = [before.get(segment.id), captures.get(segment.id)]
    if (current === undefined || current.sizeBytes === former?.sizeBytes) continue
    const [last = '', endMs] = [former?.archives.at(-1), captureEndMsOf(segment)]
    const isBefore = current.archives.some((key) => key < last && !former?.archives.includes(key))
    if (former === undefined || endMs === undefined || isBefore) return true
    const times = await captureTimes(storage, former)
    if (times === undefined || times.endMs < endMs) return true
  }
  return false
}
