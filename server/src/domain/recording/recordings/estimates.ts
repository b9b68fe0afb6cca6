/** A recording whose file is being composed or waits for that. */
export interface QueuedComposition {
  recordingId: string
  lengthSec: number
  /** A worker has begun the composition. */
  isComposing: boolean
  /** Start of the composition; null before it. */
  composingSince: Date | null
  /** Progress of the composition, and the time of that progress. */
  composedPercent: number | null
  composedAt: Date | null
}

/** A smaller share does not show the pace yet. */
const ESTIMATED_FROM_PERCENT = 5

/**
 * The estimated time of each file, by recording id. A running composition continues at its own pace or at the pace of
 * earlier ones, and waiting ones follow in the order of the queue. Recordings that cannot be estimated are left out.
 */
export function estimatesOf(
  queue: readonly QueuedComposition[],
  { secPerSec, now }: { secPerSec: number | null; now: Date },
): ReadonlyMap<string, Date> {
  const estimates = new Map<string, Date>()
  const workers = Math.max(1, queue.filter(({ isComposing }) => isComposing).length)
  let aheadMs = 0
  for (const each of queue.toSorted((a, b) => Number(b.isComposing) - Number(a.isComposing))) {
    const endMs = endMsOf(each, secPerSec, now)
    // Without an estimate for one recording, there is none for those after it either.
    if (endMs === undefined) break
    const remainingMs = Math.max(0, endMs - now.getTime())
    const waitMs = each.isComposing ? 0 : aheadMs / workers
    estimates.set(each.recordingId, new Date(now.getTime() + waitMs + remainingMs))
    aheadMs += remainingMs
  }
  return estimates
}

/** The end at its own pace, if that is known yet, or at the pace of others. It begins now if it is not being composed. */
function endMsOf(
  { isComposing, composingSince, composedPercent, composedAt, lengthSec }: QueuedComposition,
  secPerSec: number | null,
  now: Date,
): number | undefined {
  const sinceMs = ((isComposing && composingSince) || now).getTime()
  if (isComposing && composedAt !== null && Number(composedPercent) >= ESTIMATED_FROM_PERCENT) {
    return sinceMs + ((composedAt.getTime() - sinceMs) * 100) / Number(composedPercent)
  }
  return secPerSec === null ? undefined : sinceMs + lengthSec * secPerSec * 1000
}
