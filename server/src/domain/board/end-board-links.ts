import type { Deps } from '../../platform/ports/deps.ts'
import { markLinksEnded } from './store.ts'

/** Ends every link of an operator, and the passes that were made by them; answers how many links. */
export async function endBoardLinks(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  whose: { tenantId: string; operator: string },
): Promise<number> {
  return markLinksEnded(db, { ...whose, now: clock() })
}
