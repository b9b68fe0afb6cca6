/** A recording whose file is being composed or waits for that. */
export interface QueuedComposition {
  recordingId: string
  /** Recorded length. */
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
    const at = ownEstimateOf(each) ?? laterBy(remainingMsOf(each, secPerSec), each, now)
    const waitMs = each.isComposing ? 0 : aheadMs / workers
    const remainingMs = at === undefined ? undefined : Math.max(0, at.getTime() - now.getTime())
    // Without an estimate for one recording, there is none for those after it either.
    if (remainingMs === undefined || Number.isNaN(aheadMs)) {
      aheadMs = Number.NaN
      continue
    }
    estimates.set(each.recordingId, new Date(now.getTime() + waitMs + remainingMs))
    aheadMs += remainingMs
  }
  return estimates
}

/** The estimate from its own pace, if that is known yet. */
function ownEstimateOf({
  isComposing,
  composingSince,
  composedPercent,
  composedAt,
}: QueuedComposition): Date | undefined {
  if (!isComposing || composingSince === null || composedAt === null) return undefined
  if (composedPercent === null || composedPercent < ESTIMATED_FROM_PERCENT) return undefined
  const sofarMs = composedAt.getTime() - composingSince.getTime()
  return new Date(composingSince.getTime() + (sofarMs * 100) / composedPercent)
}

function remainingMsOf({ lengthSec }: QueuedComposition, secPerSec: number | null) {
  return secPerSec === null ? undefined : lengthSec * secPerSec * 1000
}

function laterBy(
  ms: number | undefined,
  { isComposing, composingSince }: QueuedComposition,
  now: Date,
): Date | undefined {
  if (ms === undefined) return undefined
  const from = isComposing && composingSince !== null ? composingSince : now
  return new Date(Math.max(now.getTime(), from.getTime() + ms))
}
