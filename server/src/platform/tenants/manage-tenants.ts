import type { Db, Query } from '../db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { TokenKeyStatus } from '../ports/token-key.ts'
import { checkKeysAddress } from './fetch-key-set.ts'
import {
  findListedApiKey,
  findTokenKeyRow,
  type ListedApiKey,
  listApiKeys,
  listTenants,
  listTokenKeys,
  markApiKeyRevoked,
  markTokenKey,
  type RegisteredTokenKey,
  type Tenant,
  tenantExists,
  updateJwksUri,
} from './store.ts'

export { tenantExists } from './store.ts'

export class UnknownTenantError extends Error {
  override name = 'UnknownTenantError'
}

/** Throws UnknownTenantError. */
export async function tenantMustExist(db: Db, tenantId: string): Promise<void> {
  if (await tenantExists(db, tenantId)) return
  throw new UnknownTenantError(`there is no tenant ${tenantId}`)
}

export async function listTenantsOf(db: Db): Promise<Tenant[]> {
  return listTenants(db)
}

export async function listTenantKeys(db: Db, tenantId: string): Promise<ListedApiKey[]> {
  await tenantMustExist(db, tenantId)
  return listApiKeys(db, tenantId)
}

/** Undefined if the tenant has no such key. */
export async function readApiKeyOf(
  db: Db,
  key: { tenantId: string; keyId: string },
): Promise<ListedApiKey | undefined> {
  return findListedApiKey(db, key)
}

/** Revokes a key, only of the given tenant if one is named. False if there is no such key; a repeat changes nothing. */
export async function revokeApiKey(
  db: Db,
  key: { keyId: string; tenantId?: string },
): Promise<boolean> {
  return markApiKeyRevoked(db, key)
}

/** Undefined if the tenant has registered no key of this name. */
export async function readTokenKeyOf(
  query: Query,
  key: { tenantId: string; kid: string },
): Promise<RegisteredTokenKey | undefined> {
  return findTokenKeyRow(query, key)
}

export async function listTenantTokenKeys(db: Db, tenantId: string): Promise<RegisteredTokenKey[]> {
  await tenantMustExist(db, tenantId)
  return listTokenKeys(db, tenantId)
}

/**
 * Sets the address at which the tenant publishes further keys; null removes it. Returns the previous one. Throws
 * UnknownTenantError, and TargetError for an address that is never fetched.
 */
export async function setJwksUri(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  address: { tenantId: string; jwksUri: string | null },
): Promise<string | null> {
  if (address.jwksUri !== null) {
    checkKeysAddress(address.jwksUri, config.webhooks.targets)
  }
  const replaced = await updateJwksUri(db, address)
  if (replaced !== undefined) return replaced.before
  throw new UnknownTenantError(`there is no tenant ${address.tenantId}`)
}

/**
 * A retired key signs no more. A revoked key does not either, because it was compromised, and it stays revoked. Returns the new
 * state; undefined if there is no such key.
 */
export async function endTokenKey(
  db: Db,
  key: { tenantId: string; kid: string; status: 'retired' | 'revoked' },
): Promise<TokenKeyStatus | undefined> {
  return markTokenKey(db, key)
}
