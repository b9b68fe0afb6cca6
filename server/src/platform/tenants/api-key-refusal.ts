import { ServiceError } from '../lib/service-error.ts'

/** Why a call by an API key is refused: for the log and the operator, never for the caller. Fixed words. */
const API_KEY_REFUSALS = {
  KEY_MISSING: 'there is no Authorization header',
  KEY_MALFORMED: 'the Authorization header is not ApiKey <key_id>.<secret>',
  KEY_UNKNOWN: 'no API key has this id',
  SECRET_WRONG: 'the secret is not that of the key',
  KEY_REVOKED: 'the key is revoked',
  KEY_EXPIRED: 'the key has expired',
  SCOPE_MISSING: 'the key lacks the scope of the operation',
} as const

export type ApiKeyRefusal = keyof typeof API_KEY_REFUSALS

/** The one 401 of all these reasons. The log names a key of ours that was meant: its id is public. */
export function refuseApiKey(reasonCode: ApiKeyRefusal, keyId?: string): ServiceError {
  const words = API_KEY_REFUSALS[reasonCode]
  return new ServiceError('UNAUTHORIZED', {
    headers: { 'www-authenticate': 'ApiKey' },
    note: keyId === undefined ? words : `${words}: ${keyId}`,
    reasonCode,
  })
}
