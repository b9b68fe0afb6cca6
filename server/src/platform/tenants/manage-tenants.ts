import type { Db } from '../db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { TokenKey } from '../ports/token-key.ts'
import { checkKeysAddress } from './fetch-key-set.ts'
import {
  type ListedApiKey,
  listApiKeys,
  listTenants,
  listTokenKeys,
  markApiKeyRevoked,
  markTokenKey,
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

/** False when there is no such key; a repeat changes nothing. */
export async function revokeApiKey(db: Db, keyId: string): Promise<boolean> {
  return markApiKeyRevoked(db, keyId)
}

export async function listTenantTokenKeys(db: Db, tenantId: string): Promise<TokenKey[]> {
  await tenantMustExist(db, tenantId)
  return listTokenKeys(db, tenantId)
}

/**
 * Where the tenant publishes further keys; null takes it away. Throws UnknownTenantError, and
 * TargetError for an address that is never asked.
 */
export async function setJwksUri(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  address: { tenantId: string; jwksUri: string | null },
): Promise<void> {
  if (address.jwksUri !== null) {
    checkKeysAddress(address.jwksUri, config.webhooks.targets)
  }
  if (await updateJwksUri(db, address)) return
  throw new UnknownTenantError(`there is no tenant ${address.tenantId}`)
}

/** Retired: signs no more. Revoked: the same, because it got into wrong hands. False without such a key. */
export async function endTokenKey(
  db: Db,
  key: { tenantId: string; kid: string; status: 'retired' | 'revoked' },
): Promise<boolean> {
  return markTokenKey(db, key)
}
