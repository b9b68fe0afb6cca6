import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { inTransaction, sqlStateOf, type Tx, reserveSlotFor } from '../../platform/db/db.ts'
import { NoSlotError } from '../../platform/db/unavailable.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import {
  type Answer,
  type KeyedAnswer,
  type KeyedRequest,
  type Outcome,
  toAnswer,
} from './answer.ts'
import {
  deleteOldKey,
  findKey,
  insertKey,
  keepAnswer,
  type Lease,
  leaseKey,
  releaseKey,
  renewLease,
} from './store.ts'

type OnceDeps = Pick<Deps, 'db' | 'config'>

const POLL_MS = 100
const TWIN_LOOK_MS = 1_000
/** The lease is renewed this many times before it would run out. */
const SIGNS_OF_LIFE = 3
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Runs `work` in a transaction and keeps its answer in the same one: with an Idempotency-Key, at
 * most once, and every repeat gets the first answer. `work` touches nothing but the database. A
 * refusal that it throws is not kept: the request may be repeated and is judged again.
 *
 * Throws 422 IDEMPOTENCY_KEY_CONFLICT, 409 IDEMPOTENCY_KEY_IN_USE.
 */
export async function answerOnce(
  deps: OnceDeps,
  request: KeyedRequest,
  work: (tx: Tx) => Promise<Outcome>,
): Promise<KeyedAnswer> {
  const { db } = deps
  const { tenantId, key, fingerprint } = request
  if (key === undefined) {
    const answer = await inTransaction(db, async (tx) => toAnswer(await work(tx)))
    return { answer, isReplayed: false }
  }
  const { twinMs } = deps.config.waits
  const deadline = performance.now() + twinMs
  for (;;) {
    const lease = { tenantId, key, leaseToken: randomUUID() }
    try {
      const answer = await inTransaction(db, async (tx) => {
        if (!(await takeInTransaction(tx, { ...lease, fingerprint }, twinMs))) return undefined
        const made = toAnswer(await work(tx))
        await keepAnswer(tx, lease, made)
        return made
      })
      if (answer !== undefined) return { answer, isReplayed: false }
    } catch (error) {
      if (error instanceof NoSlotError && error.slot === slotOf(request)) throw inUse()
      if (!(error instanceof KeyLockedError)) throw error
      if (performance.now() > deadline) throw inUse()
      continue
    }
    const kept = await replay(deps, { tenantId, key, fingerprint })
    if (kept !== undefined) return { answer: kept, isReplayed: true }
  }
}

/** The transaction of a request with the same key has not ended yet. */
class KeyLockedError extends Error {}

/**
 * The slot on which requests with one key wait. A statement waits only a moment for the key's row; a longer wait holds no
 * connection.
 */
function slotOf({ tenantId, key }: Pick<KeyedRequest, 'tenantId' | 'key'>): string {
  return `key:${tenantId}:${key}`
}

async function takeInTransaction(
  tx: Tx,
  claim: Lease & { fingerprint: Buffer },
  twinMs: number,
): Promise<boolean> {
  reserveSlotFor(tx, slotOf(claim), twinMs)
  await tx`select set_config('lock_timeout', ${String(TWIN_LOOK_MS)}, true)`
  try {
    return await insertKey(tx, claim)
  } catch (error) {
    if (sqlStateOf(error) === LOCK_NOT_AVAILABLE) throw new KeyLockedError()
    throw error
  } finally {
    // Fails only in a transaction that has failed already.
    await tx`set local lock_timeout to default`.catch(() => {})
  }
}

/** Keeps the answer in the transaction that makes it true. */
export type Keep = (tx: Tx, outcome: Outcome) => Promise<void>

/**
 * The same for operations that call the provider in between, when no transaction may be open: the
 * key is locked by a lease, and `work` gives its answer to `keep` in its last transaction.
 *
 * Throws 422 IDEMPOTENCY_KEY_CONFLICT, 409 IDEMPOTENCY_KEY_IN_USE.
 */
export async function answerOnceLeased(
  deps: OnceDeps,
  request: KeyedRequest,
  work: (keep: Keep) => Promise<void>,
): Promise<KeyedAnswer> {
  const lease = request.key === undefined ? undefined : await takeLease(deps, request, request.key)
  if (lease !== undefined && 'status' in lease) return { answer: lease, isReplayed: true }
  let answer: Answer | undefined
  const stopRenewing = lease === undefined ? () => {} : keepAlive(deps, lease)
  try {
    await work(async (tx, outcome) => {
      answer = toAnswer(outcome)
      if (lease !== undefined && !(await keepAnswer(tx, lease, answer))) throw inUse()
    })
  } catch (error) {
    // A key that cannot be released now becomes free when its lease expires.
    if (lease !== undefined) await releaseKey(deps.db, lease).catch(() => {})
    throw error
  } finally {
    stopRenewing()
  }
  if (answer === undefined) throw new Error('an operation ended without its answer')
  return { answer, isReplayed: false }
}

/** Renews the lease until it is called off: only a process that dies lets it run out. */
function keepAlive({ db, config }: OnceDeps, lease: Lease): () => void {
  const { keyLeaseMs } = config.waits
  const renewal = setInterval(() => {
    // A failed renewal is followed by the next one. A lost lease is noticed when the answer is kept.
    renewLease(db, lease, keyLeaseMs).catch(() => {})
  }, keyLeaseMs / SIGNS_OF_LIFE).unref()
  return () => clearInterval(renewal)
}

async function takeLease(
  deps: OnceDeps,
  { tenantId, fingerprint }: KeyedRequest,
  key: string,
): Promise<Lease | Answer> {
  const lease = { tenantId, key, leaseToken: randomUUID() }
  const deadline = performance.now() + deps.config.waits.twinMs
  for (;;) {
    if (await leaseKey(deps.db, { ...lease, fingerprint }, deps.config.waits.keyLeaseMs))
      return lease
    const kept = await replay(deps, { tenantId, key, fingerprint })
    if (kept !== undefined) return kept
    if (performance.now() > deadline) throw inUse()
    await delay(POLL_MS)
  }
}

/** The kept answer; undefined before it is kept, and after it has expired. */
async function replay(
  { db, config }: OnceDeps,
  { tenantId, key, fingerprint }: { tenantId: string; key: string; fingerprint: Buffer },
): Promise<Answer | undefined> {
  const retentionSec = config.idempotencyRetentionSec
  const stored = await findKey(db, { tenantId, key }, retentionSec)
  if (stored === undefined) {
    await deleteOldKey(db, { tenantId, key }, retentionSec)
    return undefined
  }
  if (!stored.fingerprint.equals(fingerprint)) throw new ServiceError('IDEMPOTENCY_KEY_CONFLICT')
  return stored.answer
}

function inUse(): ServiceError {
  return new ServiceError('IDEMPOTENCY_KEY_IN_USE', { headers: { 'retry-after': '1' } })
}
