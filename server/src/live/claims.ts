import type { Deps } from '../deps.ts'
import {
  type ParticipantClaims,
  verifyParticipantToken,
} from '../participants/participant-token.ts'
import { bearerOf } from '../service-keys/signed-tokens.ts'
import { findTokenKey } from '../tenants/find-token-key.ts'

/**
 * The verified participant token of an `Authorization` header. Throws 401 UNAUTHORIZED, 400
 * UNKNOWN_ROLE, 503 SERVICE_UNAVAILABLE when the tenant's own keys cannot be had.
 */
export async function claimsOf(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'publishedKeys'>,
  { authorization, roomId }: { authorization: string | undefined; roomId: string },
): Promise<ParticipantClaims> {
  const { clock, config } = deps
  return verifyParticipantToken({
    token: bearerOf(authorization),
    roomId,
    audience: config.publicUrl,
    leewaySec: config.tokenLeewaySec,
    now: clock(),
    findKey: (key) => findTokenKey(deps, key),
  })
}
