import type { JWK_EC_Public } from 'jose'
import { json, type Query, type Tx } from '../db/db.ts'
import type { SealedSecret } from '../lib/reseal.ts'

export interface StoredServiceKey {
  kid: string
  publicJwk: JWK_EC_Public
  privateJwkEncrypted: Uint8Array
}

/** Newest first: the first one signs, all of them verify. */
export async function listServiceKeys(query: Query): Promise<StoredServiceKey[]> {
  return query<StoredServiceKey[]>`
    select kid, public_jwk as "publicJwk", private_jwk_encrypted as "privateJwkEncrypted"
      from service_keys
     where retired_at is null
     order by created_at desc, kid
  `
}

/** Holds every other start back until this transaction ends. */
export async function lockServiceKeys(tx: Tx): Promise<void> {
  await tx`lock table service_keys in share row exclusive mode`
}

export async function insertServiceKey(tx: Tx, key: StoredServiceKey): Promise<void> {
  await tx`
    insert into service_keys (kid, public_jwk, private_jwk_encrypted)
    values (${key.kid}, ${json({ ...key.publicJwk })}, ${Buffer.from(key.privateJwkEncrypted)})
  `
}

/** All of them, also those that verify no more. */
export async function listSealedKeys(query: Query): Promise<SealedSecret[]> {
  return query<SealedSecret[]>`
    select kid as id, private_jwk_encrypted as sealed from service_keys order by kid
  `
}

/** Unless it was replaced meanwhile. */
export async function replaceSealedKey(
  query: Query,
  { id, sealed }: SealedSecret,
  by: Buffer,
): Promise<void> {
  await query`
    update service_keys set private_jwk_encrypted = ${by}
     where kid = ${id} and private_jwk_encrypted = ${Buffer.from(sealed)}
  `
}
