import { inTransaction, type Tx } from '../db/db.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { uuidv7 } from '../lib/uuid.ts'
import type { Deps } from '../ports/deps.ts'
import { type Endpoint, lockEndpoint } from './endpoint-store.ts'
import { countEvents, isBusy, redeliverPage, type Redelivery } from './redelivery-store.ts'
import {
  advanceReplay,
  findReplay,
  insertReplay,
  listReplays,
  lockRunningReplay,
  markReplayCancelled,
  type Replay,
} from './replay-store.ts'

export type { Replay } from './replay-store.ts'

type Db = Pick<Deps, 'db'>
type Receiver = Pick<Endpoint, 'id' | 'eventTypes'>

export const REPLAY_WEBHOOKS = 'replay-webhooks'

/** Deliveries that one transaction adds. */
const PAGE = 250
/** While this many wait for the endpoint, no more are added: new events would have to wait for all of them. */
const WAITING_MAX = 250

/** The events that a replay sends: those of a period, perhaps of one type. */
export type WantedReplay = Pick<Redelivery, 'tenantId' | 'type' | 'until'> & { since: Date }

const redeliveryOf = ({ tenantId, type, since, until }: WantedReplay): Redelivery => ({
  tenantId,
  eventId: undefined,
  type,
  since,
  until,
})

/**
 * Sends events again, with the same ids and bytes (docs/lifecycles.md#replay). The first page is added at once, and a job adds the
 * others.
 */
export async function startReplay(
  { db }: Db,
  wanted: WantedReplay,
  receiver: Receiver,
): Promise<Replay> {
  const { tenantId, type = null, since, until = null } = wanted
  const id = uuidv7()
  await inTransaction(db, async (tx) => {
    const { count: events, lastSeq } = await countEvents(tx, redeliveryOf(wanted), receiver)
    const endpointId = receiver.id
    await insertReplay(tx, { id, tenantId, endpointId, type, since, until, events, lastSeq })
    const replay = await lockRunningReplay(tx, id)
    const isDone = replay === undefined || (await addPage(tx, replay, receiver))
    if (!isDone) await enqueue(tx, { kind: REPLAY_WEBHOOKS, key: id, payload: { tenantId } })
  })
  return mustFindReplay({ db }, { tenantId, id })
}

/** Adds the deliveries of the next events. Returns true after the last ones. */
async function addPage(tx: Tx, replay: Replay, receiver: Receiver): Promise<boolean> {
  const { id, tenantId, type, since, until, afterSeq: after, lastSeq: last } = replay
  const wanted = { tenantId, type: type ?? undefined, since, until: until ?? undefined }
  const page = { receiver, after, last, limit: PAGE }
  const { count, lastSeq } = await redeliverPage(tx, redeliveryOf(wanted), page)
  await advanceReplay(tx, { id, count, lastSeq })
  return lastSeq === null
}

/** `waiting`: enough deliveries wait for the endpoint. `resting`: it gets nothing at the moment. */
export type Progress = 'added' | 'waiting' | 'resting' | 'ended'

/** Adds the next page, if there is room for it. The replay of a removed endpoint is cancelled. */
export async function continueReplay({ db }: Db, id: string): Promise<Progress> {
  return inTransaction(db, async (tx) => {
    const replay = await lockRunningReplay(tx, id)
    if (replay === undefined) return 'ended'
    const { endpointId } = replay
    const endpoint = await lockEndpoint(tx, endpointId)
    if (endpoint === undefined) {
      await markReplayCancelled(tx, id)
      return 'ended'
    }
    if (await isBusy(tx, { endpointId, from: WAITING_MAX })) {
      return endpoint.state === 'active' && endpoint.nextProbeAt === null ? 'waiting' : 'resting'
    }
    return (await addPage(tx, replay, endpoint)) ? 'ended' : 'added'
  })
}

/** Undefined if the tenant has no such replay. */
export async function replayOf(
  { db }: Db,
  key: Pick<Replay, 'tenantId' | 'id'>,
): Promise<Replay | undefined> {
  return findReplay(db, key)
}

/** The latest ones, newest first. */
export async function replaysOf(
  { db }: Db,
  list: { tenantId: string; limit: number },
): Promise<Replay[]> {
  return listReplays(db, list)
}

/** Adds nothing more; what was added is sent. A replay that has ended stays as it is. Undefined if the tenant has no such one. */
export async function cancelReplay(
  { db }: Db,
  key: Pick<Replay, 'tenantId' | 'id'>,
): Promise<Replay | undefined> {
  if ((await findReplay(db, key)) === undefined) return undefined
  await markReplayCancelled(db, key.id)
  return findReplay(db, key)
}

async function mustFindReplay({ db }: Db, key: Pick<Replay, 'tenantId' | 'id'>): Promise<Replay> {
  const replay = await findReplay(db, key)
  if (replay === undefined) throw new Error('the replay is gone')
  return replay
}
