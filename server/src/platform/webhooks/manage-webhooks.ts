import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { inTransaction } from '../db/db.ts'
import { checkTarget } from '../lib/target-guard.ts'
import type { Deps } from '../ports/deps.ts'
import {
  type DeliveryList,
  findDelivery,
  listAttempts,
  type ListedAttempt,
  type ListedDelivery,
  listDeliveries,
} from './delivery-list-store.ts'
import {
  type Endpoint,
  isEndpointActive,
  listEndpoints,
  listSecrets,
  lockEndpoint,
  openAgain,
  pauseEndpoint,
  updateEndpoint,
} from './endpoint-store.ts'
import { makeAllDue } from './make-all-due.ts'
import { recordWebhookEvent } from './record-event.ts'
import {
  cancelDelivery,
  countEvents,
  countPending,
  firstAttemptSince,
  type MadeAttempt,
  probeNow,
  type Redelivery,
  redeliverPage,
} from './redelivery-store.ts'
import { cancelForRemoved, disableEndpoint } from './removal-store.ts'
import { onlyEndpointOf } from './set-endpoint.ts'

type Db = Pick<Deps, 'db'>

/** Deliveries that one transaction changes. */
const PAGE = 500

/** The tenant's endpoints, oldest first, including removed ones. */
export async function endpointsOf({ db }: Db, tenantId: string): Promise<Endpoint[]> {
  return listEndpoints(db, tenantId)
}

/** The only endpoint; undefined before one is set. Throws AmbiguousEndpointError. */
export async function endpointOf({ db }: Db, tenantId: string): Promise<Endpoint | undefined> {
  return onlyEndpointOf(await listEndpoints(db, tenantId))
}

/** The secrets that sign for an endpoint now, newest first. */
export async function secretsOf(
  { db, secretBox }: Pick<Deps, 'db' | 'secretBox'>,
  { id }: Endpoint,
): Promise<string[]> {
  return (await listSecrets(db, id)).map((sealed) => secretBox.open(sealed))
}

/** The deliveries, newest first. */
export async function deliveriesOf({ db }: Db, list: DeliveryList): Promise<ListedDelivery[]> {
  return listDeliveries(db, list)
}

export interface WholeDelivery extends ListedDelivery {
  body: string
  attempts: ListedAttempt[]
}

const ATTEMPTS_SHOWN = 100

/** The delivery with its body and last attempts; undefined if the tenant has no such delivery. */
export async function deliveryOf(
  { db }: Db,
  key: { tenantId: string; deliveryId: bigint },
): Promise<WholeDelivery | undefined> {
  const delivery = await findDelivery(db, key)
  if (delivery === undefined) return undefined
  const attempts = await listAttempts(db, { ...key, limit: ATTEMPTS_SHOWN })
  return { ...delivery, attempts }
}

export interface EndpointChange extends Partial<
  Pick<Endpoint, 'url' | 'description' | 'eventTypes'>
> {
  state?: 'active' | 'paused'
}

/**
 * Changes the given fields. An endpoint that is set to active, or moves while it is, gets waiting events immediately, because
 * earlier failures no longer say anything about it. False for a removed endpoint, which stays removed. Throws TargetError for an
 * address that is not allowed.
 */
export async function changeEndpoint(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  id: string,
  { state, ...change }: EndpointChange,
): Promise<boolean> {
  if (change.url !== undefined) checkTarget(change.url, config.webhooks.targets)
  const changed = await inTransaction(db, async (tx) => {
    const endpoint = await lockEndpoint(tx, id)
    if (endpoint === undefined) return undefined
    const { url = endpoint.url } = change
    const hasMoved = url !== endpoint.url
    const isOpened = state === 'active' || (hasMoved && (state ?? endpoint.state) === 'active')
    await updateEndpoint(tx, { ...endpoint, ...change })
    if (state === 'paused') await pauseEndpoint(tx, id)
    if (isOpened) await openAgain(tx, id)
    return { isOpened }
  })
  if (changed?.isOpened === true) await makeAllDue({ db }, id)
  return changed !== undefined
}

/** How long an operator's command waits for an attempt: longer than one may take. */
const OUTCOME_WITHIN_MS = 20_000
const LOOK_EVERY_MS = 100

/**
 * The result of an attempt that an operator asked for. Undefined if no worker made one in time, or if the endpoint does not
 * receive.
 */
export type Outcome = MadeAttempt | undefined

async function outcomeOf(
  { db }: Db,
  wanted: { endpointId: string; eventId?: string; since: Date },
): Promise<Outcome> {
  const end = performance.now() + OUTCOME_WITHIN_MS
  while (performance.now() < end) {
    // The change is read before the attempts, because the attempt that stops sending is recorded first.
    const isActive = await isEndpointActive(db, wanted.endpointId)
    const made = await firstAttemptSince(db, wanted)
    if (made !== undefined || !isActive) return made
    await delay(LOOK_EVERY_MS)
  }
  return undefined
}

/** Taken from the database's clock, because the workers whose attempts are looked for may run elsewhere. */
async function databaseNow({ db }: Db): Promise<Date> {
  const [row] = await db<{ now: Date }[]>`select clock_timestamp() as now`
  if (row === undefined) throw new Error('the database returned no time')
  return row.now
}

/** Sends a `webhook.test` event immediately, in the same way as any other, and waits for the answer. */
export async function testWebhooks(
  deps: Pick<Deps, 'db' | 'clock'>,
  { id: endpointId, tenantId }: Pick<Endpoint, 'id' | 'tenantId'>,
): Promise<Outcome> {
  const name = `test:${randomUUID()}`
  const since = await databaseNow(deps)
  const eventId = await inTransaction(deps.db, async (tx) => {
    const id = await recordWebhookEvent(tx, {
      tenantId,
      type: 'webhook.test',
      streamKey: name,
      dedupeKey: name,
      occurredAt: deps.clock(),
      data: { message: 'This is a test of your webhook endpoint.' },
      onlyTo: endpointId,
    })
    await probeNow(tx, { endpointId, eventId: id })
    return id
  })
  return outcomeOf(deps, { endpointId, eventId, since })
}

/** Resumes an endpoint that was paused, gone or failing: waiting events are due immediately. Waits for the answer to the first. */
export async function resumeWebhooks(
  deps: Db,
  endpoint: Pick<Endpoint, 'id'>,
): Promise<{ pending: number; outcome: Outcome }> {
  const { id: endpointId } = endpoint
  const since = await databaseNow(deps)
  await inTransaction(deps.db, async (tx) => {
    if ((await lockEndpoint(tx, endpointId)) !== undefined) await openAgain(tx, endpointId)
  })
  await makeAllDue(deps, endpointId)
  const pending = await countPending(deps.db, endpointId)
  const outcome = pending === 0 ? undefined : await outcomeOf(deps, { endpointId, since })
  return { pending, outcome }
}

/** Pauses the endpoint: events from now on wait until somebody resumes it. */
export async function pauseWebhooks(
  { db }: Db,
  { id }: Pick<Endpoint, 'id'>,
): Promise<{ pending: number }> {
  await inTransaction(db, async (tx) => {
    if ((await lockEndpoint(tx, id)) !== undefined) await pauseEndpoint(tx, id)
  })
  return { pending: await countPending(db, id) }
}

/**
 * Removes the endpoint; returns how many pending deliveries are cancelled. They are cancelled page by page, because months may wait
 * there. If the process dies meanwhile, a job cancels the rest.
 */
export async function removeWebhooks(
  { db }: Db,
  { id }: Pick<Endpoint, 'id'>,
): Promise<{ cancelled: number }> {
  await disableEndpoint(db, id)
  let cancelled = 0
  for (let page = PAGE; page === PAGE;) {
    page = await inTransaction(db, (tx) => cancelForRemoved(tx, { endpointId: id, limit: PAGE }))
    cancelled += page
  }
  return { cancelled }
}

/** Ends the delivery of an event, so that later ones of its resource continue. */
export async function skipWebhook(
  { db }: Db,
  which: { endpointId: string; eventId: string },
): Promise<boolean> {
  return inTransaction(db, (tx) => cancelDelivery(tx, which))
}

/** Counts the events that a redelivery would send. */
export async function countRedelivery(
  { db }: Db,
  wanted: Redelivery,
  receiver: Pick<Endpoint, 'id' | 'eventTypes'>,
): Promise<number> {
  return (await countEvents(db, wanted, receiver)).count
}

/**
 * Makes an event due again immediately, with the same id and bytes; returns the receiver's answer. Undefined if the tenant has no
 * such event.
 */
export async function redeliverEvent(
  deps: Db,
  { tenantId, eventId }: { tenantId: string; eventId: string },
  receiver: Pick<Endpoint, 'id' | 'eventTypes'>,
): Promise<{ outcome: Outcome } | undefined> {
  const { id: endpointId } = receiver
  const wanted = { tenantId, eventId, type: undefined, since: undefined, until: undefined }
  const since = await databaseNow(deps)
  const { count } = await inTransaction(deps.db, async (tx) => {
    // Locked before its deliveries, as a worker does when it records a failure.
    await lockEndpoint(tx, endpointId)
    const { lastSeq } = await countEvents(tx, wanted, receiver)
    const page = { receiver, after: 0n, last: lastSeq, limit: 1 }
    const redelivered = await redeliverPage(tx, wanted, page)
    await probeNow(tx, { endpointId, eventId })
    return redelivered
  })
  return count === 0
    ? undefined
    : { outcome: await outcomeOf(deps, { endpointId, eventId, since }) }
}
