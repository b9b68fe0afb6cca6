import type { Db } from '../../platform/db/db.ts'
import { newAccessToken } from './access-token.ts'
import { updateAccessToken } from './session-store.ts'

/**
 * A new access token for a session whose old one got into wrong hands; undefined when the tenant
 * has no such session. Present participants stay; once removed, they cannot enter again.
 */
export async function rotateAccessToken(
  db: Db,
  key: { tenantId: string; sessionId: string },
): Promise<string | undefined> {
  const accessToken = newAccessToken()
  return (await updateAccessToken(db, { ...key, accessToken })) ? accessToken : undefined
}
