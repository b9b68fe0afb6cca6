import { inTransaction } from '../db/db.ts'
import { checkTarget } from '../lib/target-guard.ts'
import { uuidv7 } from '../lib/uuid.ts'
import type { Deps } from '../ports/deps.ts'
import { expireSecrets, findEndpoint, insertSecret, upsertEndpoint } from './endpoint-store.ts'
import { newWebhookSecret } from './signature.ts'

type EndpointDeps = Pick<Deps, 'db' | 'secretBox' | 'config'>

const SECRETS_MAX = 3
const OVERLAP_MS = 24 * 60 * 60 * 1000

/**
 * Where the tenant's webhooks go from now on, pending ones included. Answers the new secret, which
 * is shown this once and is the only one. Throws TargetError for an address that is not allowed.
 */
export async function setEndpoint(
  { db, secretBox, config }: EndpointDeps,
  { tenantId, url }: { tenantId: string; url: string },
): Promise<{ endpointId: string; secret: string }> {
  checkTarget(url, config.webhooks.targets)
  const secret = newWebhookSecret()
  const endpointId = await inTransaction(db, async (tx) => {
    const id = await upsertEndpoint(tx, { id: uuidv7(), tenantId, url })
    await expireSecrets(tx, { endpointId: id, at: null, keep: 0 })
    await insertSecret(tx, { id: uuidv7(), endpointId: id, sealed: secretBox.seal(secret) })
    return id
  })
  return { endpointId, secret }
}

/** A second secret that signs immediately, beside the old ones, which end after a day. */
export async function rotateSecret(
  { db, secretBox }: Pick<EndpointDeps, 'db' | 'secretBox'>,
  { tenantId, now }: { tenantId: string; now: Date },
): Promise<{ endpointId: string; secret: string } | undefined> {
  const secret = newWebhookSecret()
  return inTransaction(db, async (tx) => {
    const endpoint = await findEndpoint(tx, tenantId)
    if (endpoint === undefined) return undefined
    const at = new Date(now.getTime() + OVERLAP_MS)
    await expireSecrets(tx, { endpointId: endpoint.id, at, keep: SECRETS_MAX - 1 })
    await insertSecret(tx, {
      id: uuidv7(),
      endpointId: endpoint.id,
      sealed: secretBox.seal(secret),
    })
    return { endpointId: endpoint.id, secret }
  })
}
