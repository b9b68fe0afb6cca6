import type { Deps } from '../../platform/ports/deps.ts'
import { bearerOf } from '../../platform/service-keys/signed-tokens.ts'
import { type ParticipantClaims, verifyParticipantToken } from './participant-token.ts'

/**
 * The verified participant token of an `Authorization` header. Throws 401 UNAUTHORIZED, 400
 * UNKNOWN_ROLE, 503 SERVICE_UNAVAILABLE when the tenant's own keys cannot be had.
 */
export async function claimsOf(
  deps: Pick<Deps, 'clock' | 'config' | 'tokenKeys'>,
  { authorization, roomId }: { authorization: string | undefined; roomId: string },
): Promise<ParticipantClaims> {
  const { clock, config, tokenKeys } = deps
  return verifyParticipantToken({
    token: bearerOf(authorization),
    roomId,
    audience: config.publicUrl,
    leewaySec: config.tokenLeewaySec,
    now: clock(),
    findKey: (key) => tokenKeys.find(key),
  })
}
