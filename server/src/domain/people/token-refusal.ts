import {
  PARTICIPANT_TOKEN_MAX_CHARS,
  PARTICIPANT_TOKEN_MAX_LIFE_SEC,
} from '@interview-room/contract/limits.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'

/**
 * The reasons for refusing a participant token, in fixed words. They go to the log and the operator, never to the caller.
 */
const TOKEN_REFUSALS = {
  TOO_LONG: `the token has more than ${PARTICIPANT_TOKEN_MAX_CHARS} characters`,
  MALFORMED: 'the token is not a JWT in compact form',
  HEADER_NOT_ALLOWED: 'the header has jku, x5u, jwk, crit or b64',
  TYPE_INVALID: 'typ is neither room-entry+jwt nor JWT',
  ISSUER_MISSING: 'iss, the id of the tenant, is missing',
  KID_MISSING: 'kid is missing in the header',
  KEY_UNKNOWN: 'the tenant in iss has no key of this kid',
  KEY_INACTIVE: 'the key is retired or revoked',
  ALGORITHM_MISMATCH: 'alg is not the algorithm of the key',
  KEY_NOT_YET_VALID: 'the key is not valid yet',
  KEY_EXPIRED: 'the key is no longer valid',
  SIGNATURE_INVALID: 'the signature is not by this key',
  ROOM_MISMATCH: 'room_id is not the room of the address',
  AUDIENCE_MISMATCH: 'aud is not the public URL of the service',
  ISSUED_AT_INVALID: 'iat is missing or not a time in seconds',
  EXPIRY_INVALID: 'exp is missing or not a time in seconds',
  NOT_BEFORE_INVALID: 'nbf is not a time in seconds',
  EXPIRY_BEFORE_ISSUE: 'exp is not behind iat',
  LIFE_TOO_LONG: `exp is more than ${PARTICIPANT_TOKEN_MAX_LIFE_SEC} seconds behind iat`,
  ISSUED_IN_FUTURE: 'iat is in the future',
  EXPIRED: 'the token has expired',
  NOT_YET_VALID: 'nbf is in the future',
  NAME_INVALID: 'name is missing or not a name',
  JTI_INVALID: 'jti is not a text of 1 to 255 characters',
  PARTICIPANT_INVALID: 'participant or platform_user is not as documented',
  ROLE_MISSING: 'role is missing',
  ROLE_NOT_ALLOWED: 'the key may not sign this role',
  PLATFORM_USER_NOT_ALLOWED: 'platform_user is for the role platform_observer only',
} as const

export type TokenRefusal = keyof typeof TOKEN_REFUSALS

export const TOKEN_REFUSAL_CODES = Object.keys(TOKEN_REFUSALS) as TokenRefusal[]

/** The one 401 for all of these reasons. `words` adds detail where something is configured. */
export function refuseToken(
  reasonCode: TokenRefusal,
  words: string = TOKEN_REFUSALS[reasonCode],
): ServiceError {
  return refusalOfToken(reasonCode, words)
}

/** The same for a reason that exists only for tokens of another kind. */
export function refusalOfToken(reasonCode: string, words: string): ServiceError {
  return new ServiceError('UNAUTHORIZED', {
    headers: { 'www-authenticate': 'Bearer' },
    note: words,
    reasonCode,
  })
}
