import type { Deps } from '../ports/deps.ts'
import { reserveRequests } from './limits-store.ts'

/** What a request may know of the tenant's limit. */
interface BudgetState {
  isAllowed: boolean
  /** Requests that are left in this window, as far as this process knows. */
  remaining: number
  /** Until the next window, at least 1. */
  resetSec: number
}

/** Counts a request of a tenant against `limit` requests in a minute. */
export type TakeRequest = (tenantId: string, limit: number) => Promise<BudgetState>

interface Share {
  limit: number
  endsAtMs: number
  /** Reserved by this process, and not used. */
  left: number
  unreserved: number
  /** The window has no more to reserve. */
  isLast: boolean
}

/**
 * A process reserves this part of the limit at a time: twenty statements a minute and tenant at most,
 * whatever the limit. What a process has reserved and does not use is lost to the others.
 */
const SHARE = 1 / 20
const SHARES_MAX = 10_000
const WINDOW_MS = 60_000

/**
 * The requests of a tenant, counted over all processes: each reserves a share of the window in the
 * database, and serves from it without asking again.
 */
export function createRequestBudget({ db, clock }: Pick<Deps, 'db' | 'clock'>): TakeRequest {
  const shares = new Map<string, Share>()
  const reserving = new Map<string, Promise<void>>()

  async function reserve(tenantId: string, limit: number): Promise<void> {
    // Before the database is asked, so that the share never outlives the window.
    const nowMs = clock().getTime()
    const wanted = Math.max(1, Math.floor(limit * SHARE))
    const { granted, unreserved, resetMs } = await reserveRequests(db, { tenantId, limit, wanted })
    if (shares.size >= SHARES_MAX) shares.clear()
    const isLast = granted < wanted
    shares.set(tenantId, { limit, endsAtMs: nowMs + resetMs, left: granted, unreserved, isLast })
  }

  /** Concurrent requests share one reservation. */
  function reserveOnce(tenantId: string, limit: number): Promise<void> {
    const running = reserving.get(tenantId)
    if (running !== undefined) return running
    const started = reserve(tenantId, limit).finally(() => reserving.delete(tenantId))
    reserving.set(tenantId, started)
    return started
  }

  return async (tenantId, limit) => {
    for (;;) {
      const nowMs = clock().getTime()
      const share = shares.get(tenantId)
      if (share?.limit === limit && isUnderWay(share, nowMs) && (share.left > 0 || share.isLast)) {
        const isAllowed = share.left > 0
        if (isAllowed) share.left -= 1
        const resetSec = Math.max(1, Math.ceil((share.endsAtMs - nowMs) / 1000))
        return { isAllowed, remaining: share.left + share.unreserved, resetSec }
      }
      await reserveOnce(tenantId, limit)
    }
  }
}

/** Not where it has more than a minute to go: the clock was ahead when it was reserved. */
function isUnderWay({ endsAtMs }: Share, nowMs: number): boolean {
  return nowMs < endsAtMs && nowMs >= endsAtMs - WINDOW_MS
}
