import type { Deps } from '../platform/ports/deps.ts'
import { listServiceKeys } from '../platform/service-keys/service-keys.ts'
import { CommandError } from './command-error.ts'

/**
 * Refuses a key with which the newest signing key of the service cannot be decrypted, as the readiness of a process does: what
 * a command would encrypt under it makes every process of the service unready.
 */
export async function requireSecretsKey({
  db,
  secretBox,
}: Pick<Deps, 'db' | 'secretBox'>): Promise<void> {
  const [newest] = await listServiceKeys(db)
  // Before the first start, there is nothing to compare with.
  if (newest === undefined) return
  try {
    secretBox.open(newest.privateJwkEncrypted)
  } catch {
    throw new CommandError(
      'SECRETS_KEY is not the key that the secrets in the database were encrypted with: give the command the key of the service',
    )
  }
}
