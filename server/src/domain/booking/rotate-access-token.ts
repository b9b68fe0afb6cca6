import type { Db } from '../../platform/db/db.ts'
import { newAccessToken } from './access-token.ts'
import { updateAccessToken } from './session-store.ts'

/**
 * Replaces the access token of a session after the old one leaked. Returns undefined when the tenant has no such session.
 * Present participants stay. Once removed, they cannot enter again.
 */
export async function rotateAccessToken(
  db: Db,
  key: { tenantId: string; sessionId: string },
): Promise<string | undefined> {
  const accessToken = newAccessToken()
  return (await updateAccessToken(db, { ...key, accessToken })) ? accessToken : undefined
}
