import type { ErasedCounts, RemainingData } from '@interview-room/contract/data-protection.ts'
import { json, type Query, type Tx } from '../../platform/db/db.ts'
import type { PageRequest } from '../../platform/ports/paging.ts'
import { addCounts, type DataSubject, type Erasure, NOTHING_REMOVED } from './erasure.ts'

type ErasureRow = Omit<Erasure, 'removed'> & { removed: Partial<ErasedCounts> }

function toErasure(row: ErasureRow): Erasure {
  return { ...row, removed: { ...NOTHING_REMOVED, ...row.removed } } as Erasure
}

function selection(query: Query) {
  return query`
    select id, tenant_id as "tenantId", subject, external_type as "externalType",
           external_id as "externalId", recordings, requested_by as "requestedBy", state,
           waits_until as "waitsUntil", removed, kept_rooms as "keptRooms", remains,
           object_keys as "objectKeys", receipt, previous_erasure_id as "previousErasureId",
           requested_at as "requestedAt",
           finished_at as "finishedAt"
      from erasures
  `
}

export type NewErasureRow = DataSubject &
  Pick<Erasure, 'id' | 'subject' | 'recordings' | 'requestedBy' | 'requestedAt'>

/** Links the last erasure of the same person, which must be done. */
export async function insertErasure(tx: Tx, erasure: NewErasureRow): Promise<void> {
  await tx`
    insert into erasures (id, tenant_id, subject, external_type, external_id, recordings,
                          requested_by, requested_at, previous_erasure_id)
    values (${erasure.id}, ${erasure.tenantId}, ${erasure.subject}, ${erasure.externalType},
            ${erasure.externalId}, ${erasure.recordings}, ${erasure.requestedBy},
            ${erasure.requestedAt},
            (select id from erasures
              where tenant_id = ${erasure.tenantId} and subject = ${erasure.subject}
              order by id desc
              limit 1))
  `
}

/** The unfinished erasure of this person. It cannot finish before the transaction ends. */
export async function lockOpenErasure(
  tx: Tx,
  { tenantId, externalType, externalId }: DataSubject,
): Promise<Erasure | undefined> {
  const [row] = await tx<ErasureRow[]>`
    ${selection(tx)}
     where tenant_id = ${tenantId} and external_type = ${externalType}
       and external_id = ${externalId} and state <> 'done'
     order by id desc
     limit 1
       for update
  `
  return row && toErasure(row)
}

export async function findErasure(query: Query, id: string): Promise<Erasure | undefined> {
  const [row] = await query<ErasureRow[]>`${selection(query)} where id = ${id}`
  return row && toErasure(row)
}

export async function lockErasure(tx: Tx, id: string): Promise<Erasure | undefined> {
  const [row] = await tx<ErasureRow[]>`${selection(tx)} where id = ${id} for update`
  return row && toErasure(row)
}

export interface ErasureList extends PageRequest {
  tenantId: string
  subject: string | undefined
}

/** Newest first. Reads one more than the limit to see whether there are more. */
export async function listErasures(
  query: Query,
  { tenantId, subject, after, limit }: ErasureList,
): Promise<Erasure[]> {
  const rows = await query<ErasureRow[]>`
    ${selection(query)}
     where tenant_id = ${tenantId}
       ${subject === undefined ? query`` : query`and subject = ${subject}`}
       ${after === undefined ? query`` : query`and id < ${after}::uuid`}
     order by id desc
     limit ${limit + 1}
  `
  return rows.map(toErasure)
}

export interface BlockedErasures {
  tenantId: string
  /** Restricts it to this erasure; all of the tenant if it is left out. */
  id?: string
}

/** Restarts blocked erasures and drops their receipts. Returns their ids. */
export async function reopenBlocked(tx: Tx, { tenantId, id }: BlockedErasures): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update erasures
       set state = 'pending', remains = '[]', receipt = null
     where tenant_id = ${tenantId} and state = 'blocked'
       ${id === undefined ? tx`` : tx`and id = ${id}`}
    returning id
  `
  return rows.map((row) => row.id)
}

/** The data removed from one room. */
export interface RoomErasure {
  removed: ErasedCounts
  objectKeys: readonly string[]
  keptRoom: string | undefined
}

/** Call it in the transaction that removes the data, so that each record is counted exactly once. */
export async function noteRemoved(tx: Tx, id: string, erased: RoomErasure): Promise<void> {
  const erasure = await lockErasure(tx, id)
  if (erasure === undefined) throw new Error('an erasure is gone')
  const removed = addCounts(erasure.removed, erased.removed)
  const keptRooms = new Set([...erasure.keptRooms, ...[erased.keptRoom ?? []].flat()])
  await tx`
    update erasures
       set removed = ${json({ ...removed })},
           kept_rooms = ${[...keptRooms]}::uuid[],
           object_keys = object_keys || ${[...erased.objectKeys]}::text[]
     where id = ${id}
  `
}

export async function markWaiting(query: Query, id: string, until: Date): Promise<void> {
  await query`
    update erasures set state = 'waiting', waits_until = ${until}
     where id = ${id} and state <> 'done'
  `
}

interface Outcome {
  id: string
  remains: readonly RemainingData[]
  receipt: string
}

/** Stores a receipt of the data removed so far. */
export async function markBlocked(tx: Tx, { id, remains, receipt }: Outcome): Promise<void> {
  await tx`
    update erasures
       set state = 'blocked', waits_until = null, object_keys = '{}',
           remains = ${json([...remains])}, receipt = ${receipt}
     where id = ${id} and state <> 'done'
  `
}

/** From here on the row does not identify the person. */
export async function markDone(
  tx: Tx,
  { id, remains, receipt, at }: Outcome & { at: Date },
): Promise<void> {
  await tx`
    update erasures
       set state = 'done', waits_until = null, object_keys = '{}', external_type = null,
           external_id = null, remains = ${json([...remains])}, receipt = ${receipt},
           finished_at = ${at}
     where id = ${id} and state <> 'done'
  `
}
