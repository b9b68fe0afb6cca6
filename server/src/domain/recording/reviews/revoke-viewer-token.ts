import type { Deps } from '../../../platform/ports/deps.ts'
import { insertRevocation } from './store.ts'

/** Revokes every viewer token with this `jti`, whether one was ever signed or not. */
export async function revokeViewerToken(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  token: { tenantId: string; jti: string },
): Promise<void> {
  await insertRevocation(db, { ...token, at: clock() })
}
