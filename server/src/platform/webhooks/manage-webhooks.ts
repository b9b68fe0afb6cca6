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

/** Of a tenant, oldest first; removed ones, too. */
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

/** Newest first. */
export async function deliveriesOf({ db }: Db, list: DeliveryList): Promise<ListedDelivery[]> {
  return listDeliveries(db, list)
}

export interface WholeDelivery extends ListedDelivery {
  body: string
  attempts: ListedAttempt[]
}

const ATTEMPTS_SHOWN = 100

/** With its body and its last attempts; undefined when the tenant has no such delivery. */
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
 * Changes what is given. An endpoint that is called active, or moves while it is, gets what waits immediately: nothing
 * that failed before says anything of it now. False for an endpoint that was removed, which stays so. Throws
 * TargetError for an address that is not allowed.
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

/** How long an operator waits for an attempt: longer than one may take. */
const OUTCOME_WITHIN_MS = 20_000
const LOOK_EVERY_MS = 100

/**
 * What an attempt came to that somebody asked for; undefined when no worker made one in time, or nothing
 * is sent to the endpoint.
 */
export type Outcome = MadeAttempt | undefined

async function outcomeOf(
  { db }: Db,
  wanted: { endpointId: string; eventId?: string; since: Date },
): Promise<Outcome> {
  const end = performance.now() + OUTCOME_WITHIN_MS
  while (performance.now() < end) {
    // Before the attempts: one that ends the sending is made first.
    const isActive = await isEndpointActive(db, wanted.endpointId)
    const made = await firstAttemptSince(db, wanted)
    if (made !== undefined || !isActive) return made
    await delay(LOOK_EVERY_MS)
  }
  return undefined
}

/** By the clock of the workers, whose attempts are looked for: they may run elsewhere. */
async function databaseNow({ db }: Db): Promise<Date> {
  const [row] = await db<{ now: Date }[]>`select clock_timestamp() as now`
  if (row === undefined) throw new Error('the database returned no time')
  return row.now
}

/** Sends a `webhook.test` event the same way as every other, immediately, and waits for the answer. */
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

/** Sends on to an endpoint that was paused, gone or failing: what waits for it is due immediately. Waits for its answer. */
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

/** Events from now on wait until somebody resumes. */
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
 * Nothing is sent there any more; answers how many deliveries were pending and are cancelled. They are cancelled page by
 * page, because months may wait there; what is left when the process dies meanwhile is left to a job.
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

export interface RedeliveryResult {
  queued: number
  /** Of the only event, where there is one. */
  outcome: Outcome
}

/** Makes events due again, with the same id and bytes, a page in each transaction. */
export async function redeliverWebhooks(
  deps: Db,
  wanted: Redelivery,
  receiver: Pick<Endpoint, 'id' | 'eventTypes'>,
): Promise<RedeliveryResult> {
  const { id: endpointId } = receiver
  const { eventId } = wanted
  const since = await databaseNow(deps)
  let queued = 0
  for (let after: bigint | null = 0n; after !== null;) {
    const from: bigint = after
    const page = await inTransaction(deps.db, async (tx) => {
      // Before its deliveries, as a worker does that notes a failure.
      if (eventId !== undefined) await lockEndpoint(tx, endpointId)
      const redelivered = await redeliverPage(tx, wanted, { receiver, after: from, limit: PAGE })
      if (eventId !== undefined) await probeNow(tx, { endpointId, eventId })
      return redelivered
    })
    queued += page.count
    after = page.lastSeq
  }
  const isOne = eventId !== undefined && queued === 1
  return {
    queued,
    outcome: isOne ? await outcomeOf(deps, { endpointId, eventId, since }) : undefined,
  }
}

/** How many events that would be. */
export async function countRedelivery(
  { db }: Db,
  wanted: Redelivery,
  receiver: Pick<Endpoint, 'id' | 'eventTypes'>,
): Promise<number> {
  return countEvents(db, wanted, receiver)
}
