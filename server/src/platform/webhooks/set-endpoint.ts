import { WEBHOOK_ENDPOINTS_MAX } from '@interview-room/contract/limits.ts'
import { inTransaction, type Tx } from '../db/db.ts'
import { checkTarget } from '../lib/target-guard.ts'
import { uuidv7 } from '../lib/uuid.ts'
import type { Deps } from '../ports/deps.ts'
import {
  type Endpoint,
  expireSecrets,
  insertEndpoint,
  insertSecret,
  lockEndpoint,
  lockEndpointsOf,
  moveEndpoint,
  type NewEndpoint,
} from './endpoint-store.ts'
import { makeAllDue } from './make-all-due.ts'
import { newWebhookSecret } from './signature.ts'

type EndpointDeps = Pick<Deps, 'db' | 'secretBox' | 'config'>

const SECRETS_MAX = 3
/** How long an old secret keeps signing beside a new one. */
const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000

/** There are several endpoints, and none was named. */
export class AmbiguousEndpointError extends Error {
  override name = 'AmbiguousEndpointError'
}

interface EndpointAddress {
  tenantId: string
  url: string
  /** One of the tenant's endpoints in use. Without it, the only one, or a new one. */
  endpointId?: string | undefined
}

/**
 * Sets the address of the tenant's endpoint. Pending webhooks go there and are due immediately. Returns the new secret, which
 * replaces all others and is shown only this once, and the endpoint as it was before. Throws TargetError for an address that is not
 * allowed, and AmbiguousEndpointError if the tenant has several endpoints and none is named.
 */
export async function setEndpoint(
  { db, secretBox, config }: EndpointDeps,
  { tenantId, url, endpointId }: EndpointAddress,
): Promise<IssuedSecret & { replaced: Endpoint | undefined }> {
  checkTarget(url, config.webhooks.targets)
  const set = await inTransaction(db, async (tx) => {
    const endpoints = await lockEndpointsOf(tx, tenantId)
    const endpoint =
      endpointId === undefined
        ? onlyEndpointOf(endpoints)
        : endpoints.find(({ id }) => id === endpointId)
    const id = endpoint?.id ?? uuidv7()
    if (endpoint === undefined) await insertEndpoint(tx, { id, tenantId, url })
    else await moveEndpoint(tx, { id, url })
    await expireSecrets(tx, { endpointId: id, at: null, keep: 0 })
    const replaced = endpoint !== undefined && isInUse(endpoint) ? endpoint : undefined
    return { ...(await issueSecret(tx, secretBox, id)), replaced }
  })
  await makeAllDue({ db }, set.endpointId)
  return set
}

/**
 * Adds an endpoint. Returns its secret, which is shown only this once; undefined if the tenant has as many endpoints as it may.
 * Throws TargetError for an address that is not allowed.
 */
export async function addEndpoint(
  { db, secretBox, config }: EndpointDeps,
  endpoint: Omit<NewEndpoint, 'id'>,
): Promise<IssuedSecret | undefined> {
  checkTarget(endpoint.url, config.webhooks.targets)
  const id = uuidv7()
  return inTransaction(db, async (tx) => {
    const others = await lockEndpointsOf(tx, endpoint.tenantId)
    if (others.filter(isInUse).length >= WEBHOOK_ENDPOINTS_MAX) return undefined
    await insertEndpoint(tx, { ...endpoint, id })
    return issueSecret(tx, secretBox, id)
  })
}

interface Rotation {
  endpointId: string
  now: Date
  /** Ends the old secrets immediately, as after a leak. */
  isOldEnded?: boolean
}

/** Adds a secret that signs immediately beside the old ones. These end after a day, or immediately. */
export async function rotateSecret(
  { db, secretBox }: Pick<EndpointDeps, 'db' | 'secretBox'>,
  { endpointId, now, isOldEnded = false }: Rotation,
): Promise<IssuedSecret & { oldEndAt: Date }> {
  return inTransaction(db, async (tx) => {
    await lockEndpoint(tx, endpointId)
    const oldEndAt = new Date(now.getTime() + (isOldEnded ? 0 : SECRET_OVERLAP_MS))
    const at = isOldEnded ? null : oldEndAt
    await expireSecrets(tx, { endpointId, at, keep: SECRETS_MAX - 1 })
    return { ...(await issueSecret(tx, secretBox, endpointId)), oldEndAt }
  })
}

interface IssuedSecret {
  endpointId: string
  secret: string
}

async function issueSecret(
  tx: Tx,
  secretBox: EndpointDeps['secretBox'],
  endpointId: string,
): Promise<IssuedSecret> {
  const secret = newWebhookSecret()
  await insertSecret(tx, { id: uuidv7(), endpointId, sealed: secretBox.seal(secret) })
  return { endpointId, secret }
}

/** The endpoint of a tenant that has one. If none is in use, the last removed one. Throws AmbiguousEndpointError. */
export function onlyEndpointOf(endpoints: readonly Endpoint[]): Endpoint | undefined {
  const [first, ...others] = endpoints.filter(isInUse)
  if (others.length > 0)
    throw new AmbiguousEndpointError('the tenant has several webhook endpoints')
  return first ?? endpoints.at(-1)
}

/** True unless the endpoint was removed. */
export function isInUse({ state }: Pick<Endpoint, 'state'>): boolean {
  return state !== 'disabled'
}
