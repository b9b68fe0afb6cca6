import { type ResealCounts, resealAll } from '../lib/reseal.ts'
import type { Deps } from '../ports/deps.ts'
import { listSealedKeys, replaceSealedKey } from './store.ts'

/** Puts the private signing keys of the service under the current SECRETS_KEY. */
export async function resealKeys({
  db,
  secretBox,
}: Pick<Deps, 'db' | 'secretBox'>): Promise<ResealCounts> {
  return resealAll(secretBox, await listSealedKeys(db), (key, by) => replaceSealedKey(db, key, by))
}
