import type { Query, Tx } from '../db/db.ts'

export interface Replay {
  id: string
  tenantId: string
  endpointId: string
  /** Only events of this type; null for all that the endpoint takes. */
  type: string | null
  since: Date
  until: Date | null
  state: 'running' | 'done' | 'cancelled'
  /** Events when it was ordered. */
  events: number
  /** Events whose deliveries were added. */
  queued: number
  /** The last event whose delivery was added. */
  afterSeq: bigint
  lastSeq: bigint
  createdAt: Date
  finishedAt: Date | null
}

function replayColumns(query: Query) {
  return query`
    id, tenant_id as "tenantId", endpoint_id as "endpointId", event_type as "type", since, until,
    state, events, queued, after_seq as "afterSeq", last_seq as "lastSeq",
    created_at as "createdAt", finished_at as "finishedAt"
  `
}

export type NewReplay = Pick<
  Replay,
  'id' | 'tenantId' | 'endpointId' | 'type' | 'since' | 'until' | 'events' | 'lastSeq'
>

export async function insertReplay(tx: Tx, replay: NewReplay): Promise<void> {
  await tx`
    insert into webhook_replays (id, tenant_id, endpoint_id, event_type, since, until, events, last_seq)
    values (${replay.id}, ${replay.tenantId}, ${replay.endpointId}, ${replay.type}, ${replay.since},
            ${replay.until}, ${replay.events}, ${String(replay.lastSeq)}::bigint)
  `
}

export async function findReplay(
  query: Query,
  { tenantId, id }: Pick<Replay, 'tenantId' | 'id'>,
): Promise<Replay | undefined> {
  const [row] = await query<Replay[]>`
    select ${replayColumns(query)} from webhook_replays where id = ${id} and tenant_id = ${tenantId}
  `
  return row
}

/** Newest first. */
export async function listReplays(
  query: Query,
  { tenantId, limit }: { tenantId: string; limit: number },
): Promise<Replay[]> {
  return query<Replay[]>`
    select ${replayColumns(query)} from webhook_replays where tenant_id = ${tenantId}
     order by created_at desc
     limit ${limit}
  `
}

/** Locks the replay. Undefined if it has ended. */
export async function lockRunningReplay(tx: Tx, id: string): Promise<Replay | undefined> {
  const [row] = await tx<Replay[]>`
    select ${replayColumns(tx)} from webhook_replays where id = ${id} and state = 'running'
       for update
  `
  return row
}

/** Records a page of added deliveries. Without another page, the replay is done. */
export async function advanceReplay(
  tx: Tx,
  { id, count, lastSeq }: { id: string; count: number; lastSeq: bigint | null },
): Promise<void> {
  const after = lastSeq === null ? null : String(lastSeq)
  await tx`
    update webhook_replays
       set queued = queued + ${count},
           after_seq = coalesce(${after}::bigint, last_seq),
           state = case when ${after}::bigint is null then 'done' else state end,
           finished_at = case when ${after}::bigint is null then clock_timestamp() end
     where id = ${id}
  `
}

/** Does nothing if the replay has ended. */
export async function markReplayCancelled(query: Query, id: string): Promise<void> {
  await query`
    update webhook_replays set state = 'cancelled', finished_at = clock_timestamp()
     where id = ${id} and state = 'running'
  `
}

/** As long as the events that a replay sends. */
const KEPT_DAYS = 30

export async function deleteOldReplays(query: Query, limit: number): Promise<void> {
  await query`
    delete from webhook_replays
     where id = any(array(
             select id from webhook_replays
              where created_at < statement_timestamp() - make_interval(days => ${KEPT_DAYS})
              order by created_at
              limit ${limit}))
  `
}
