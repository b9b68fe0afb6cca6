import type { Deps } from '../../platform/ports/deps.ts'
import { markBoardTokensRevoked } from './store.ts'

/** Ends every link of an operator, and the passes that were made by them; answers how many links. */
export async function revokeBoardTokens(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  whose: { tenantId: string; operator: string },
): Promise<number> {
  return markBoardTokensRevoked(db, { ...whose, now: clock() })
}
