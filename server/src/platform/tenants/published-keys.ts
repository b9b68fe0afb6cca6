import { ServiceError } from '../lib/service-error.ts'
import type { Deps } from '../ports/deps.ts'
import type { PublishedKeys } from '../ports/token-key.ts'
import { type FetchedKeySet, fetchKeySet } from './fetch-key-set.ts'
import { findJwksUri } from './store.ts'

interface Known extends FetchedKeySet {
  uri: string
  /** The last fetch, whether it was answered or not. */
  askedAtMs: number
  fetchedAtMs: number
}

/** The shortest time between two fetches for unknown key names, so that forged ones cost the tenant nothing. */
const ASK_AGAIN_MS = 5 * 60_000
/** Pause after a failed fetch of an address without cached keys. */
const REST_MS = 30_000
/** Fetched keys stay trusted this long while the address does not answer. */
const TRUSTED_MS = 24 * 60 * 60_000

type KeysDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log'>

/** Key sets that are fetched when they are needed, and cached in this process. */
export function createPublishedKeys({ db, clock, config, log }: KeysDeps): PublishedKeys {
  const cache = new Map<string, Known>()
  const failedAtMs = new Map<string, number>()
  const asking = new Map<string, Promise<Known>>()
  const guard = config.webhooks.targets

  async function ask(tenantId: string, uri: string): Promise<Known> {
    const nowMs = clock().getTime()
    const before = cache.get(tenantId)
    if (isWithin(failedAtMs.get(uri), { nowMs, ms: REST_MS }))
      throw new ServiceError('SERVICE_UNAVAILABLE')
    try {
      const fetched = await fetchKeySet(uri, { tenantId, guard })
      const known = { ...fetched, uri, askedAtMs: nowMs, fetchedAtMs: nowMs }
      cache.set(tenantId, known)
      return known
    } catch (cause) {
      log.warn({ err: cause, tenant: tenantId }, 'fetching the token keys of a tenant failed')
      if (before?.uri !== uri || !isWithin(before.fetchedAtMs, { nowMs, ms: TRUSTED_MS })) {
        failedAtMs.set(uri, nowMs)
        throw new ServiceError('SERVICE_UNAVAILABLE', {
          cause,
          reasonCode: 'KEY_SET_UNREACHABLE',
          note: `the tenant's key set at ${addressOf(uri)} cannot be fetched: ${reasonOf(cause)}`,
        })
      }
      before.askedAtMs = nowMs
      return before
    }
  }

  /** Concurrent callers share one fetch. */
  async function askOnce(tenantId: string, uri: string): Promise<Known> {
    const under = asking.get(tenantId) ?? ask(tenantId, uri)
    asking.set(tenantId, under)
    return under.finally(() => asking.delete(tenantId))
  }

  return {
    async find({ tenantId, kid }) {
      const uri = await findJwksUri(db, tenantId)
      if (uri === undefined) return undefined
      const known = cache.get(tenantId)
      if (known?.uri !== uri) return (await askOnce(tenantId, uri)).keys.get(kid)

      const nowMs = clock().getTime()
      const isFresh = isWithin(known.fetchedAtMs, { nowMs, ms: known.freshMs })
      const mayAsk = !isWithin(known.askedAtMs, { nowMs, ms: ASK_AGAIN_MS })
      if ((isFresh && known.keys.has(kid)) || !mayAsk) return known.keys.get(kid)
      return (await askOnce(tenantId, uri)).keys.get(kid)
    },
  }
}

/** True within `ms` of `atMs`. A time in the future was noted by a clock that was ahead, and no longer counts. */
function isWithin(atMs: number | undefined, { nowMs, ms }: { nowMs: number; ms: number }): boolean {
  return atMs !== undefined && Math.abs(nowMs - atMs) < ms
}

/** The address without its query, which may contain a secret. */
function addressOf(uri: string): string {
  const { origin, pathname } = new URL(uri)
  return `${origin}${pathname}`
}

/** The innermost cause, because the outer error of a failed request does not say why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : reasonOf(error.cause)
}
