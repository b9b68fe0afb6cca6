import type { Deps } from '../deps.ts'
import {
  type ParticipantClaims,
  verifyParticipantToken,
} from '../participants/participant-token.ts'
import { findTokenKey } from '../tenants/find-token-key.ts'
import { bearerOf } from './ticket.ts'

/**
 * The verified participant token of an `Authorization` header. Throws 401 UNAUTHORIZED, 400
 * UNKNOWN_ROLE.
 */
export async function claimsOf(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  { authorization, roomId }: { authorization: string | undefined; roomId: string },
): Promise<ParticipantClaims> {
  return verifyParticipantToken({
    token: bearerOf(authorization),
    roomId,
    audience: config.publicUrl,
    leewaySec: config.tokenLeewaySec,
    now: clock(),
    findKey: (key) => findTokenKey(db, key),
  })
}
