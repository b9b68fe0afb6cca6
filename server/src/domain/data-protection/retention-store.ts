import type { RetentionKind } from '@interview-room/contract/retention.ts'
import type { Query, Tx } from '../../platform/db/db.ts'
import { isPostponed } from '../../platform/jobs/due-items-job.ts'
import { holdOf } from './hold-store.ts'
import type { RetentionRule } from './retention.ts'

interface RuleKey {
  tenantId: string
  kind: RetentionKind
}

export async function listRules(query: Query, tenantId: string): Promise<RetentionRule[]> {
  return query<RetentionRule[]>`
    select kind, days from retention_rules where tenant_id = ${tenantId} order by kind
  `
}

export async function listTenantsWithRules(query: Query): Promise<string[]> {
  const rows = await query<{ tenantId: string }[]>`
    select distinct tenant_id as "tenantId" from retention_rules order by tenant_id
  `
  return rows.map(({ tenantId }) => tenantId)
}

/** The rules of a tenant, or one of them. They cannot change until the transaction ends. */
export async function shareRules(
  tx: Tx,
  { tenantId, kind }: { tenantId: string; kind?: RetentionKind },
): Promise<RetentionRule[]> {
  return tx<RetentionRule[]>`
    select kind, days from retention_rules
     where tenant_id = ${tenantId} and (${kind ?? null}::text is null or kind = ${kind ?? null})
     order by kind
       for share
  `
}

/** Locks the rule for a change. */
export async function lockRule(tx: Tx, { tenantId, kind }: RuleKey): Promise<number | undefined> {
  const [rule] = await tx<RetentionRule[]>`
    select kind, days from retention_rules where tenant_id = ${tenantId} and kind = ${kind}
       for update
  `
  return rule?.days
}

export async function upsertRule(
  tx: Tx,
  { tenantId, kind, days, at }: RuleKey & { days: number; at: Date },
): Promise<void> {
  await tx`
    insert into retention_rules (tenant_id, kind, days, updated_at)
    values (${tenantId}, ${kind}, ${days}, ${at})
    on conflict (tenant_id, kind) do update set days = excluded.days, updated_at = excluded.updated_at
  `
}

export async function deleteRule(tx: Tx, { tenantId, kind }: RuleKey): Promise<void> {
  await tx`delete from retention_rules where tenant_id = ${tenantId} and kind = ${kind}`
}

export async function deleteNotices(tx: Tx, { tenantId, kind }: RuleKey): Promise<void> {
  await tx`delete from retention_notices where tenant_id = ${tenantId} and kind = ${kind}`
}

/** The rooms of a tenant in order of booking, after the room with this id. */
export async function listRoomIds(
  query: Query,
  { tenantId, after, limit }: { tenantId: string; after: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await query<{ id: string }[]>`
    select id
      from rooms
     where tenant_id = ${tenantId} and media_room_sid is not null
       ${
         after === undefined
           ? query``
           : query`and (created_at, id) > ((select created_at from rooms where id = ${after}::uuid),
                                           ${after}::uuid)`
       }
     order by created_at, id
     limit ${limit}
  `
  return rows.map(({ id }) => id)
}

/** Part of a statement: the past or future end of the room `r`. Null for a room without one yet. */
function endOf(query: Query) {
  return query`
    greatest(r.closed_at,
             (select s.ends_at from sessions s where s.room_id = r.id),
             (select coalesce(t.completed_at, t.expires_at) from connection_tests t
               where t.room_id = r.id))
  `
}

/**
 * Part of a statement: true if the room `r` has records of this kind. `offset 0` keeps the planner from reading these
 * tables completely for many rooms.
 */
function hasRecords(query: Query, kind: RetentionKind) {
  const of = {
    recordings: query`
      exists (select 1 from recordings c
               where c.room_id = r.id
                 and (c.status = 'available'
                      or c.status = 'failed'
                         and exists (select 1 from recording_segments g
                                      where g.recording_id = c.id offset 0)
                      or c.status = 'expired'
                         and (exists (select 1 from processed_recordings p
                                       where p.recording_id = c.id offset 0)
                              or exists (select 1 from clips k
                                          where k.recording_id = c.id offset 0)
                              or exists (select 1 from recording_comments m
                                          where m.recording_id = c.id offset 0)
                              or exists (select 1 from transcriptions t
                                          where t.recording_id = c.id offset 0)))
              offset 0)
    `,
    chat: query`exists (select 1 from chat_messages m where m.room_id = r.id offset 0)`,
    handouts: query`
      exists (select 1 from handouts h
               where h.session_id = (select s.id from sessions s where s.room_id = r.id) offset 0)
    `,
  }
  return of[kind]
}

export interface EndedRoom {
  roomId: string
  endedAt: Date
}

/** Rooms that ended by `until` and have records of the kind, without a notice of it and without a legal hold. */
export async function listRoomsWithoutNotice(
  query: Query,
  { roomIds, kind, until }: { roomIds: readonly string[]; kind: RetentionKind; until: Date },
): Promise<EndedRoom[]> {
  return query<EndedRoom[]>`
    select r.id as "roomId", ended.at as "endedAt"
      from rooms r
     cross join lateral (select ${endOf(query)} as at offset 0) ended
     where r.id = any(${[...roomIds]}::uuid[])
       and ended.at <= ${until}
       and not exists (select 1 from retention_notices n
                        where n.room_id = r.id and n.kind = ${kind} offset 0)
       and ${hasRecords(query, kind)}
       and ${holdOf(query)} is null
     order by ended.at
  `
}

export interface Notice {
  roomId: string
  tenantId: string
  kind: RetentionKind
}

/** Returns false if there is a notice already, which stays. */
export async function insertNotice(
  tx: Tx,
  { roomId, kind, tenantId, at, deleteAt }: Notice & { at: Date; deleteAt: Date },
): Promise<boolean> {
  const { count } = await tx`
    insert into retention_notices (room_id, kind, tenant_id, noticed_at, delete_at)
    values (${roomId}, ${kind}, ${tenantId}, ${at}, ${deleteAt})
    on conflict (room_id, kind) do nothing
  `
  return count === 1
}

/** Due notices of rooms without a legal hold, oldest first. Leaves out those that wait for a retry by a job. */
export async function listDueNotices(
  query: Query,
  { retriedBy, now, limit }: { retriedBy: string; now: Date; limit: number },
): Promise<Notice[]> {
  const key = query`n.room_id || ' ' || n.kind`
  return query<Notice[]>`
    select n.room_id as "roomId", n.tenant_id as "tenantId", n.kind
      from retention_notices n
     where n.delete_at <= ${now}
       and (select ${holdOf(query)} from rooms r where r.id = n.room_id) is null
       and not ${isPostponed(query, { kind: retriedBy, key })}
     order by n.delete_at
     limit ${limit}
  `
}

export interface TakenNotice {
  endedAt: Date | null
  hasRecords: boolean
}

/** Deletes a due notice of a locked room. Returns undefined when it no longer exists. */
export async function takeDueNotice(
  tx: Tx,
  { roomId, kind }: Notice,
  now: Date,
): Promise<TakenNotice | undefined> {
  const [row] = await tx<TakenNotice[]>`
    delete from retention_notices n
     using rooms r
     where n.room_id = ${roomId} and n.kind = ${kind} and n.delete_at <= ${now} and r.id = n.room_id
    returning ${endOf(tx)} as "endedAt", ${hasRecords(tx, kind)} as "hasRecords"
  `
  return row
}

/** Moves the notices of a tenant closer to their deletions. */
export async function ageNotices(
  tx: Tx,
  { tenantId, seconds }: { tenantId: string; seconds: number },
): Promise<void> {
  await tx`
    update retention_notices
       set noticed_at = noticed_at - make_interval(secs => ${seconds}),
           delete_at = delete_at - make_interval(secs => ${seconds})
     where tenant_id = ${tenantId}
  `
}
