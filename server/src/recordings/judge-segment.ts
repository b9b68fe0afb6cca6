import type { Deps } from '../deps.ts'
import { measureVideo } from '../media-files/measure-video.ts'
import { MediaFileError } from '../media-files/media-file-error.ts'
import type { Segment, SegmentMove } from './segment.ts'

/** How long an address of a file holds that is only measured, in seconds. */
const MEASURED_FOR_SEC = 300

/** Nothing can be read: yet. */
const OVERDUE = { to: 'failed', reason: 'provider_failed', isOverdue: true } as const

/** By what the storage holds: a file that is there and can be read is what was recorded. */
export async function judge(
  { storage }: Pick<Deps, 'storage'>,
  { storageKey }: Pick<Segment, 'storageKey'>,
): Promise<SegmentMove> {
  const stored = await storage.head(storageKey)
  if (stored === undefined) return OVERDUE
  try {
    const place = await storage.locate(storageKey, { forSec: MEASURED_FOR_SEC })
    const { durationSec } = await measureVideo(place)
    const file = { sizeBytes: stored.sizeBytes, durationSec }
    return { to: 'complete', file, hitLimit: false }
  } catch (error) {
    if (error instanceof MediaFileError) return OVERDUE
    throw error
  }
}
