import { ServiceError } from '../lib/service-error.ts'
import type { Deps } from '../ports/deps.ts'
import type { PublishedKeys } from '../ports/token-key.ts'
import { type FetchedKeySet, fetchKeySet } from './fetch-key-set.ts'
import { findJwksUri } from './store.ts'

interface Known extends FetchedKeySet {
  uri: string
  /** When the address was last asked, whether it answered or not. */
  askedAtMs: number
  fetchedAtMs: number
}

/** An unknown name is asked for again at most this often, so that forged ones cost the tenant nothing. */
const ASK_AGAIN_MS = 5 * 60_000
/** An address that did not answer, and of which nothing is known, is left alone for so long. */
const REST_MS = 30_000
/** What was fetched is trusted this long while the address does not answer. */
const TRUSTED_MS = 24 * 60 * 60_000

type KeysDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log'>

/** Fetched when they are needed, and kept in this process. */
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

  /** Everybody who needs the same answer waits for the same question. */
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

/** Whether it was less than so long ago. What is to come was noted by a clock that was ahead, and holds no longer. */
function isWithin(atMs: number | undefined, { nowMs, ms }: { nowMs: number; ms: number }): boolean {
  return atMs !== undefined && Math.abs(nowMs - atMs) < ms
}

/** Without its query, which may contain a secret. */
function addressOf(uri: string): string {
  const { origin, pathname } = new URL(uri)
  return `${origin}${pathname}`
}

/** The innermost cause: of a failed request it says what the outer one does not. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : reasonOf(error.cause)
}
