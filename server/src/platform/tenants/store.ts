import type { ApiKeyScope } from '@interview-room/contract/management.ts'
import type {
  LiveTextAudience,
  Role,
  TranscriptionEngine,
} from '@interview-room/contract/vocabulary.ts'
import type { JWK } from 'jose'
import type { TenantLimits } from '../config/tenant-limits.ts'
import { json, type Query, type Tx } from '../db/db.ts'
import type { GuestKind } from '../ports/media.ts'
import type { TokenKey, TokenKeyAlg, TokenKeyStatus } from '../ports/token-key.ts'
import type { HashedSecret } from './api-key.ts'

export interface Tenant {
  id: string
  name: string
  /** People, media and engines of this tenant are simulated. Set when the tenant is created, and never changed. */
  isSandbox: boolean
  createdAt: Date
}

export async function insertTenant(query: Query, tenant: Omit<Tenant, 'createdAt'>): Promise<void> {
  await query`
    insert into tenants (id, name, is_sandbox)
    values (${tenant.id}, ${tenant.name}, ${tenant.isSandbox})
  `
}

export async function listTenants(query: Query): Promise<Tenant[]> {
  return query<Tenant[]>`
    select id, name, is_sandbox as "isSandbox", created_at as "createdAt"
      from tenants
     order by created_at, id
  `
}

export async function tenantExists(query: Query, id: string): Promise<boolean> {
  return (await query`select 1 from tenants where id = ${id}`).length === 1
}

export interface StoredApiKey extends HashedSecret {
  tenantId: string
  scopes: readonly ApiKeyScope[]
  endedBy: 'KEY_REVOKED' | 'KEY_EXPIRED' | null
  /** True if the last use was noted more than a minute ago. */
  isUseUnnoted: boolean
  /** The tenant's own limits: null stands for the service's setting, 0 for no limit. */
  limits: TenantLimits
}

export async function findApiKey(query: Query, keyId: string): Promise<StoredApiKey | undefined> {
  const [row] = await query<(Omit<StoredApiKey, 'limits'> & TenantLimits)[]>`
    select k.tenant_id as "tenantId", k.salt, k.cost, k.secret_hash as "secretHash", k.scopes,
           t.requests_per_min as "requestsPerMin", t.rooms_max as "roomsMax",
           t.stored_bytes_max::float8 as "storedBytesMax",
           case when revoked_at is not null then 'KEY_REVOKED'
                when expires_at <= clock_timestamp() then 'KEY_EXPIRED' end as "endedBy",
           coalesce(last_used_at < clock_timestamp() - interval '1 minute', true) as "isUseUnnoted"
      from api_keys k
      join tenants t on t.id = k.tenant_id
     where k.key_id = ${keyId}
  `
  if (row === undefined) return undefined
  const { requestsPerMin, roomsMax, storedBytesMax, ...key } = row
  return { ...key, limits: { requestsPerMin, roomsMax, storedBytesMax } }
}

/** Notes the use of a key, at most once a minute over all processes. */
export async function noteApiKeyUse(query: Query, keyId: string): Promise<void> {
  await query`
    update api_keys set last_used_at = clock_timestamp()
     where key_id = ${keyId}
       and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute')
  `
}

export interface NewApiKeyRow extends HashedSecret {
  keyId: string
  tenantId: string
  note: string | null
  scopes: readonly ApiKeyScope[]
  expiresAt: Date | null
}

export async function insertApiKey(query: Query, key: NewApiKeyRow): Promise<void> {
  await query`
    insert into api_keys (key_id, tenant_id, salt, cost, secret_hash, note, scopes, expires_at)
    values (${key.keyId}, ${key.tenantId}, ${Buffer.from(key.salt)}, ${key.cost},
            ${Buffer.from(key.secretHash)}, ${key.note}, ${[...key.scopes]}, ${key.expiresAt})
  `
}

export interface ListedApiKey {
  keyId: string
  tenantId: string
  note: string | null
  scopes: ApiKeyScope[]
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
}

function apiKeyColumns(query: Query) {
  return query`
    key_id as "keyId", tenant_id as "tenantId", note, scopes, created_at as "createdAt",
    expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"
  `
}

export async function listApiKeys(query: Query, tenantId: string): Promise<ListedApiKey[]> {
  return query<ListedApiKey[]>`
    select ${apiKeyColumns(query)} from api_keys where tenant_id = ${tenantId}
     order by created_at, key_id
  `
}

export async function findListedApiKey(
  query: Query,
  key: { tenantId: string; keyId: string },
): Promise<ListedApiKey | undefined> {
  const [row] = await query<ListedApiKey[]>`
    select ${apiKeyColumns(query)} from api_keys
     where tenant_id = ${key.tenantId} and key_id = ${key.keyId}
  `
  return row
}

/** Ends a valid key after this time, unless it ends earlier. Undefined if no such key is valid. */
export async function endApiKeySoon(
  tx: Tx,
  { tenantId, keyId, overlapSec }: { tenantId: string; keyId: string; overlapSec: number },
): Promise<Pick<ListedApiKey, 'note' | 'scopes'> | undefined> {
  const [row] = await tx<Pick<ListedApiKey, 'note' | 'scopes'>[]>`
    update api_keys
       set expires_at = least(expires_at, clock_timestamp() + make_interval(secs => ${overlapSec}))
     where tenant_id = ${tenantId} and key_id = ${keyId} and revoked_at is null
       and (expires_at is null or expires_at > clock_timestamp())
    returning note, scopes
  `
  return row
}

/** Revokes a key, only of the given tenant if one is named. False if there is no such key; a repeat keeps the first time. */
export async function markApiKeyRevoked(
  query: Query,
  { keyId, tenantId }: { keyId: string; tenantId?: string },
): Promise<boolean> {
  const { count } = await query`
    update api_keys set revoked_at = coalesce(revoked_at, clock_timestamp())
     where key_id = ${keyId} and (${tenantId ?? null}::uuid is null or tenant_id = ${tenantId ?? null})
  `
  return count === 1
}

function tokenKeyColumns(query: Query) {
  return query`
    tenant_id as "tenantId", kid, alg, public_jwk as "publicJwk", status,
    allowed_roles as "allowedRoles", not_before as "notBefore", not_after as "notAfter",
    created_at as "createdAt"
  `
}

export async function findTokenKeyRow(
  query: Query,
  key: { tenantId: string; kid: string },
): Promise<RegisteredTokenKey | undefined> {
  const [row] = await query<RegisteredTokenKey[]>`
    select ${tokenKeyColumns(query)}
      from token_keys
     where tenant_id = ${key.tenantId} and kid = ${key.kid}
  `
  return row
}

export interface RegisteredTokenKey extends TokenKey {
  createdAt: Date
}

export async function listTokenKeys(query: Query, tenantId: string): Promise<RegisteredTokenKey[]> {
  return query<RegisteredTokenKey[]>`
    select ${tokenKeyColumns(query)}
      from token_keys
     where tenant_id = ${tenantId}
     order by created_at, kid
  `
}

export interface NewTokenKeyRow {
  tenantId: string
  kid: string
  alg: TokenKeyAlg
  publicJwk: JWK
  allowedRoles: readonly Role[]
  notBefore: Date | null
  notAfter: Date | null
}

/** False if the tenant already has a key of this name. */
export async function insertTokenKey(query: Query, key: NewTokenKeyRow): Promise<boolean> {
  const { count } = await query`
    insert into token_keys (tenant_id, kid, alg, public_jwk, allowed_roles, not_before, not_after)
    values (${key.tenantId}, ${key.kid}, ${key.alg}, ${json(key.publicJwk)},
            ${[...key.allowedRoles]}, ${key.notBefore}, ${key.notAfter})
    on conflict do nothing
  `
  return count === 1
}

/** A revoked key stays revoked. Returns the state it is in now; undefined if there is no such key. */
export async function markTokenKey(
  query: Query,
  key: { tenantId: string; kid: string; status: Exclude<TokenKeyStatus, 'active'> },
): Promise<TokenKeyStatus | undefined> {
  const [row] = await query<{ status: TokenKeyStatus }[]>`
    update token_keys
       set status = case when status = 'revoked' then status else ${key.status} end
     where tenant_id = ${key.tenantId} and kid = ${key.kid}
    returning status
  `
  return row?.status
}

/** Undefined for tenants that publish none. */
export async function findJwksUri(query: Query, tenantId: string): Promise<string | undefined> {
  const [row] = await query<{ jwksUri: string }[]>`
    select jwks_uri as "jwksUri" from tenants where id = ${tenantId} and jwks_uri is not null
  `
  return row?.jwksUri
}

/** Null removes it. Returns the previous one; undefined if there is no such tenant. */
export async function updateJwksUri(
  query: Query,
  { tenantId, jwksUri }: { tenantId: string; jwksUri: string | null },
): Promise<{ before: string | null } | undefined> {
  const [row] = await query<{ before: string | null }[]>`
    update tenants set jwks_uri = ${jwksUri}
      from (select id, jwks_uri as before from tenants where id = ${tenantId} for update) old
     where tenants.id = old.id
    returning old.before
  `
  return row
}

/** Returns the previous ones; undefined if there is no such tenant. */
export async function updateFrameAncestors(
  query: Query,
  { tenantId, origins }: { tenantId: string; origins: readonly string[] },
): Promise<{ before: string[] } | undefined> {
  const [row] = await query<{ before: string[] }[]>`
    update tenants set frame_ancestors = ${[...origins]}
      from (select id, frame_ancestors as before from tenants where id = ${tenantId} for update) old
     where tenants.id = old.id
    returning old.before
  `
  return row
}

export async function updateGuestKinds(
  query: Query,
  { tenantId, kinds }: { tenantId: string; kinds: readonly GuestKind[] },
): Promise<{ before: GuestKind[] } | undefined> {
  const [row] = await query<{ before: GuestKind[] }[]>`
    update tenants set guest_kinds = ${[...kinds]}
      from (select id, guest_kinds as before from tenants where id = ${tenantId} for update) old
     where tenants.id = old.id
    returning old.before
  `
  return row
}

export async function updateTranscriptionFailover(
  query: Query,
  { tenantId, engines }: { tenantId: string; engines: readonly TranscriptionEngine[] },
): Promise<{ before: TranscriptionEngine[] } | undefined> {
  const [row] = await query<{ before: TranscriptionEngine[] }[]>`
    update tenants set transcription_failover = ${[...engines]}
      from (select id, transcription_failover as before
              from tenants where id = ${tenantId} for update) old
     where tenants.id = old.id
    returning old.before
  `
  return row
}

export interface LiveTextSetting {
  /** The widest audience in rooms of the tenant. */
  audience: LiveTextAudience
  /** The language of the translation, where the engine translates. Null: none. */
  translateTo: string | null
}

/** Returns the setting before. */
export async function updateLiveText(
  query: Query,
  { tenantId, audience, translateTo }: LiveTextSetting & { tenantId: string },
): Promise<LiveTextSetting | undefined> {
  const [row] = await query<LiveTextSetting[]>`
    update tenants set live_text = ${audience}, live_text_translation = ${translateTo}
      from (select id, live_text, live_text_translation
              from tenants where id = ${tenantId} for update) old
     where tenants.id = old.id
    returning old.live_text as audience, old.live_text_translation as "translateTo"
  `
  return row
}

/** Empty if there is no such room. */
export async function findFrameAncestorsOfRoom(query: Query, roomId: string): Promise<string[]> {
  const [row] = await query<{ frameAncestors: string[] }[]>`
    select t.frame_ancestors as "frameAncestors"
      from rooms r
      join tenants t on t.id = r.tenant_id
     where r.id = ${roomId}
  `
  return row?.frameAncestors ?? []
}

export async function findFrameAncestorsOfTest(
  query: Query,
  connectionTestId: string,
): Promise<string[]> {
  const [row] = await query<{ frameAncestors: string[] }[]>`
    select t.frame_ancestors as "frameAncestors"
      from connection_tests c
      join tenants t on t.id = c.tenant_id
     where c.id = ${connectionTestId}
  `
  return row?.frameAncestors ?? []
}
