import type { JWK } from 'jose'
import { Agent, fetch } from 'undici'
import { checkTarget, guardedLookup, type TargetRules } from '../lib/target-guard.ts'
import {
  DEFAULT_ALLOWED_ROLES,
  problemOfTokenKey,
  type TokenKey,
  type TokenKeyAlg,
} from '../ports/token-key.ts'

export interface FetchedKeySet {
  keys: ReadonlyMap<string, TokenKey>
  /** Lifetime of the keys as the address declares it, within 5 minutes and 24 hours. */
  freshMs: number
}

interface FetchOptions {
  tenantId: string
  guard: Pick<TargetRules, 'reach'>
}

const CONNECT_TIMEOUT_MS = 2_000
const TIMEOUT_MS = 5_000
const BODY_MAX_BYTES = 64 * 1024
const KEYS_MAX = 50
const FRESH_MIN_SEC = 5 * 60
const FRESH_MAX_SEC = 24 * 60 * 60

/** Fetches once: no redirects, no private addresses, bounded in time and size. Throws on anything else. */
export async function fetchKeySet(
  uri: string,
  { tenantId, guard }: FetchOptions,
): Promise<FetchedKeySet> {
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS, lookup: guardedLookup(guard) as never },
    maxResponseSize: BODY_MAX_BYTES,
  })
  try {
    const answer = await fetch(checkKeysAddress(uri, guard), {
      dispatcher,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { accept: 'application/jwk-set+json, application/json' },
    })
    if (answer.status !== 200) throw new Error(`the address answered ${answer.status}`)
    const keys = readKeySet(JSON.parse(await readText(answer.body)), tenantId)
    return { keys, freshMs: freshSecOf(answer.headers.get('cache-control')) * 1000 }
  } finally {
    await dispatcher.destroy()
  }
}

/** Counted while decompressing: the limit on the connection counts received bytes, and a kilobyte of these may become gigabytes. */
async function readText(body: AsyncIterable<unknown> | null): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    const next = chunk as Uint8Array
    bytes += next.byteLength
    if (bytes > BODY_MAX_BYTES)
      throw new Error(`the address answers more than ${BODY_MAX_BYTES} bytes`)
    chunks.push(next)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** Throws TargetError for an address that is never fetched, whatever it resolves to. */
export function checkKeysAddress(uri: string, guard: FetchOptions['guard']): URL {
  return checkTarget(uri, { ...guard, allowHttp: guard.reach !== 'public' })
}

/** The keys that may sign. Others (for encryption, of other types) are skipped. */
function readKeySet(body: unknown, tenantId: string): Map<string, TokenKey> {
  const { keys } = (body ?? {}) as { keys?: unknown }
  if (!Array.isArray(keys)) throw new Error('the address has no key set')
  const usable = keys.slice(0, KEYS_MAX).flatMap((jwk: JWK) => toTokenKey(jwk, tenantId) ?? [])
  return new Map(usable.map((key) => [key.kid, key]))
}

function toTokenKey(jwk: JWK | null, tenantId: string): TokenKey | undefined {
  const alg = jwk === null ? undefined : algOf(jwk)
  if (jwk === null || alg === undefined || typeof jwk.kid !== 'string') return undefined
  if ((jwk.use ?? 'sig') !== 'sig' || (jwk.alg ?? alg) !== alg) return undefined
  if (problemOfTokenKey({ kid: jwk.kid, alg, publicJwk: jwk }) !== undefined) return undefined
  return {
    tenantId,
    kid: jwk.kid,
    alg,
    publicJwk: jwk,
    status: 'active',
    allowedRoles: DEFAULT_ALLOWED_ROLES,
    notBefore: null,
    notAfter: null,
  }
}

function algOf({ kty, crv }: JWK): TokenKeyAlg | undefined {
  if (kty === 'EC' && crv === 'P-256') return 'ES256'
  if (kty === 'OKP' && crv === 'Ed25519') return 'EdDSA'
  return kty === 'RSA' ? 'RS256' : undefined
}

function freshSecOf(cacheControl: string | null): number {
  const maxAge = Number(/(?:^|[ ,])max-age=(\d{1,9})/.exec(cacheControl ?? '')?.[1] ?? 0)
  return Math.min(Math.max(maxAge, FRESH_MIN_SEC), FRESH_MAX_SEC)
}
