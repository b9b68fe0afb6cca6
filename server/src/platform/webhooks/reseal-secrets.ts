import { type ResealCounts, resealAll } from '../lib/reseal.ts'
import type { Deps } from '../ports/deps.ts'
import { listSealedSecrets, replaceSealedSecret } from './endpoint-store.ts'

/** Puts the signing secrets of webhooks under the current SECRETS_KEY. */
export async function resealSecrets({
  db,
  secretBox,
}: Pick<Deps, 'db' | 'secretBox'>): Promise<ResealCounts> {
  const secrets = await listSealedSecrets(db)
  return resealAll(secretBox, secrets, (secret, by) => replaceSealedSecret(db, secret, by))
}
