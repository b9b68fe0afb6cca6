import type { Deps } from '../ports/deps.ts'
import { reserveRequests } from './limits-store.ts'

/** The state of the tenant's limit, for the headers of the answer. */
interface BudgetState {
  isAllowed: boolean
  /** Requests left in this window, as far as this process knows. */
  remaining: number
  /** Seconds until the next window, at least 1. */
  resetSec: number
}

/** Counts a request of a tenant against `limit` requests in a minute. */
export type TakeRequest = (tenantId: string, limit: number) => Promise<BudgetState>

interface Share {
  limit: number
  endsAtMs: number
  /** Reserved by this process and not used yet. */
  left: number
  unreserved: number
  /** The window has no requests left to reserve. */
  isLast: boolean
}

/**
 * The share of the limit that a process reserves at a time. This costs at most twenty statements a minute for each tenant, whatever
 * the limit. Reserved requests that a process does not use are lost to the others.
 */
const SHARE = 1 / 20
const SHARES_MAX = 10_000
const WINDOW_MS = 60_000

/**
 * Counts a tenant's requests over all processes: each reserves a share of the window in the database, and serves from it without
 * asking again.
 */
export function createRequestBudget({ db, clock }: Pick<Deps, 'db' | 'clock'>): TakeRequest {
  const shares = new Map<string, Share>()
  const reserving = new Map<string, Promise<void>>()

  async function reserve(tenantId: string, limit: number): Promise<void> {
    // Taken before the database is asked, so that the share never outlives the window.
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

/** False if more than a minute is left: the clock was ahead when the window was reserved. */
function isUnderWay({ endsAtMs }: Share, nowMs: number): boolean {
  return nowMs < endsAtMs && nowMs >= endsAtMs - WINDOW_MS
}
