import { json, type Query, type Tx } from '../../platform/db/db.ts'
import type { Answer, KeyedRequest } from './answer.ts'

type Key = Pick<KeyedRequest, 'tenantId'> & { key: string }

/**
 * Takes the key for this transaction; false when it is taken. Waits for another transaction that
 * holds it: its commit makes this false, its rollback lets this one through.
 */
export async function insertKey(
  tx: Tx,
  { tenantId, key, fingerprint, leaseToken }: Key & { fingerprint: Buffer; leaseToken: string },
): Promise<boolean> {
  const { count } = await tx`
    insert into idempotency_keys (tenant_id, key, fingerprint, lease_token)
    values (${tenantId}, ${key}, ${fingerprint}, ${leaseToken})
    on conflict do nothing
  `
  return count === 1
}

export interface Lease extends Key {
  leaseToken: string
}

/** Takes a free key, or one whose holder let its lease run out; false when it is locked or done. */
export async function leaseKey(
  query: Query,
  { tenantId, key, fingerprint, leaseToken }: Lease & { fingerprint: Buffer },
  leaseMs: number,
): Promise<boolean> {
  const { count } = await query`
    insert into idempotency_keys (tenant_id, key, fingerprint, lease_token, lease_until)
    values (${tenantId}, ${key}, ${fingerprint}, ${leaseToken},
            clock_timestamp() + make_interval(secs => ${leaseMs / 1000}))
    on conflict (tenant_id, key) do update
       set lease_token = excluded.lease_token, lease_until = excluded.lease_until
     where idempotency_keys.done_at is null
       and idempotency_keys.lease_until < clock_timestamp()
       and idempotency_keys.fingerprint = excluded.fingerprint
  `
  return count === 1
}

/** Extends the lease; changes nothing if somebody else holds the key by now. */
export async function renewLease(
  query: Query,
  { tenantId, key, leaseToken }: Lease,
  leaseMs: number,
): Promise<void> {
  await query`
    update idempotency_keys
       set lease_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
     where tenant_id = ${tenantId} and key = ${key}
       and lease_token = ${leaseToken} and done_at is null
  `
}

/** Keeps the answer; false when somebody else holds the key by now. */
export async function keepAnswer(
  tx: Tx,
  { tenantId, key, leaseToken }: Lease,
  { status, headers, body }: Answer,
): Promise<boolean> {
  const { count } = await tx`
    update idempotency_keys
       set status = ${status}, headers = ${json(headers)}, body = ${body},
           done_at = clock_timestamp(), lease_until = null
     where tenant_id = ${tenantId} and key = ${key}
       and lease_token = ${leaseToken} and done_at is null
  `
  return count === 1
}

/** Releases a key when the operation that took it did not happen. */
export async function releaseKey(
  query: Query,
  { tenantId, key, leaseToken }: Lease,
): Promise<void> {
  await query`
    delete from idempotency_keys
     where tenant_id = ${tenantId} and key = ${key}
       and lease_token = ${leaseToken} and done_at is null
  `
}

export interface StoredKey {
  fingerprint: Buffer
  /** Undefined while the first request runs. */
  answer: Answer | undefined
}

/** The answer kept under a key, unless it is older than the retention. */
export async function findKey(
  query: Query,
  { tenantId, key }: Key,
  retentionSec: number,
): Promise<StoredKey | undefined> {
  const [row] = await query<
    (Pick<StoredKey, 'fingerprint'> & {
      status: number | null
      headers: Record<string, string>
      body: string | null
    })[]
  >`
    select fingerprint, status, headers, body
      from idempotency_keys
     where tenant_id = ${tenantId} and key = ${key}
       and (done_at is null or done_at > clock_timestamp() - make_interval(secs => ${retentionSec}))
  `
  if (row === undefined) return undefined
  const { fingerprint, status, headers, body } = row
  return { fingerprint, answer: status === null ? undefined : { status, headers, body } }
}

/** Deletes older answers, and leases that have expired; returns how many. */
export async function deleteOldKeys(
  query: Query,
  { retentionSec, limit }: { retentionSec: number; limit: number },
): Promise<number> {
  const { count } = await query`
    delete from idempotency_keys
     where ctid = any(array(
             select ctid from idempotency_keys
              where created_at < statement_timestamp() - make_interval(secs => ${retentionSec})
                and coalesce(done_at, lease_until, created_at)
                    < statement_timestamp() - make_interval(secs => ${retentionSec})
              order by created_at
              limit ${limit}))
       -- Checked again once the row is locked: somebody may have taken the key meanwhile.
       and coalesce(done_at, lease_until, created_at)
           < statement_timestamp() - make_interval(secs => ${retentionSec})
  `
  return count
}

/** Deletes one expired key immediately, because its place is needed. */
export async function deleteOldKey(
  query: Query,
  { tenantId, key }: Key,
  retentionSec: number,
): Promise<void> {
  await query`
    delete from idempotency_keys
     where tenant_id = ${tenantId} and key = ${key}
       and done_at <= clock_timestamp() - make_interval(secs => ${retentionSec})
  `
}

/**
 * Forgets kept answers that contain one of these texts, or both halves of a reference. A repeat under such a
 * key is carried out again.
 */
export async function deleteAnswersAbout(
  tx: Tx,
  {
    tenantId,
    texts,
    halves,
  }: { tenantId: string; texts: readonly string[]; halves: readonly string[] },
): Promise<void> {
  await tx`
    delete from idempotency_keys k
     where k.tenant_id = ${tenantId}
       and k.done_at is not null and k.body is not null
       and (exists (select 1 from unnest(${[...texts]}::text[]) each
                     where position(each in k.body) > 0)
            or not exists (select 1 from unnest(${[...halves]}::text[]) half
                            where position(half in k.body) = 0))
  `
}
