import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { JWK } from 'jose'
import type { Query } from '../db/db.ts'
import { DEFAULT_ALLOWED_ROLES, problemOfTokenKey, type TokenKeyAlg } from '../ports/token-key.ts'
import { insertTokenKey } from './store.ts'

export interface NewTokenKey {
  tenantId: string
  kid: string
  alg: TokenKeyAlg
  publicJwk: JWK
  allowedRoles?: readonly Role[]
  notBefore?: Date | null
  notAfter?: Date | null
}

/** Why a key cannot be registered: the message says it, in words. */
export class TokenKeyError extends Error {
  override name = 'TokenKeyError'
  readonly isNameInUse: boolean

  constructor(message: string, isNameInUse = false) {
    super(message)
    this.isNameInUse = isNameInUse
  }
}

/** Registers a tenant's public key. Throws TokenKeyError for an unusable key or a name in use. */
export async function addTokenKey(query: Query, key: NewTokenKey): Promise<void> {
  const problem = problemOfTokenKey(key)
  if (problem !== undefined) throw new TokenKeyError(problem)
  const isNew = await insertTokenKey(query, {
    allowedRoles: DEFAULT_ALLOWED_ROLES,
    notBefore: null,
    notAfter: null,
    ...key,
  })
  if (!isNew) throw new TokenKeyError(`the tenant already has a key named ${key.kid}`, true)
}
