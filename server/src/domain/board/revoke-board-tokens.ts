import type { Deps } from '../../platform/ports/deps.ts'
import { markBoardTokensRevoked } from './store.ts'

/** Revokes every link of an operator, and the passes made with them. Returns the number of links. */
export async function revokeBoardTokens(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  whose: { tenantId: string; operator: string },
): Promise<number> {
  return markBoardTokensRevoked(db, { ...whose, now: clock() })
}
