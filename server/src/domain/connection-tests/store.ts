import type { ConnectionTestStatus } from '@interview-room/contract/vocabulary.ts'
import { json, type Query, type Tx } from '../../platform/db/db.ts'
import { lockByName } from '../../platform/db/named-locks.ts'
import { isPostponed } from '../../platform/jobs/due-items-job.ts'
import type { PageRequest } from '../../platform/ports/paging.ts'
import {
  type ConnectionTest,
  type ConnectionTestKey,
  type Facts,
  SILENCE_MAX_SEC,
} from './connection-test.ts'

/** True if an unfinished test's time is over. It counts as expired from then on, even before that is stored. */
function isOver(query: Query, now: Date) {
  return query`
    (t.status in ('pending', 'running')
     and (t.expires_at <= ${now}
          or t.seen_at < ${now}::timestamptz - make_interval(secs => ${SILENCE_MAX_SEC})
          or r.closed_at is not null))
  `
}

function selection(query: Query, now: Date) {
  return query`
    select t.id, t.tenant_id as "tenantId", t.room_id as "roomId",
           t.external_type as "externalType", t.external_id as "externalId", t.name, t.locale,
           t.has_recording as "hasRecording", r.stream_resolution as "streamResolution",
           r.stream_frame_rate as "streamFrameRate", t.ticket, t.repeat_of as "repeatOf", t.attempt,
           case when ${isOver(query, now)} then 'expired' else t.status end as status,
           t.expires_at as "expiresAt", t.started_at as "startedAt",
           t.completed_at as "completedAt", t.measured_sec as "measuredSec", t.client, t.devices,
           t.baseline, t.load, t.summary, t.failure_reason as "failureReason",
           t.created_at as "createdAt", r.media_room_sid as "mediaRoomSid",
           (select coalesce(json_agg(json_build_object('id', c.id, 'status', c.status,
                                                       'durationSec', c.duration_sec)
                                     order by c.seq), '[]')
              from recordings c
             where c.room_id = t.room_id
               -- Other recordings never started, or are about to.
               and c.provider_archive_id is not null) as recordings
      from connection_tests t
      join rooms r on r.id = t.room_id
  `
}

export async function findConnectionTest(
  query: Query,
  { tenantId, connectionTestId }: ConnectionTestKey,
  now: Date,
): Promise<ConnectionTest | undefined> {
  const [row] = await query<ConnectionTest[]>`
    ${selection(query, now)} where t.id = ${connectionTestId} and t.tenant_id = ${tenantId}
  `
  return row
}

/** For the page of the test, which knows the test's id but not its tenant. */
export async function findTicket(
  query: Query,
  connectionTestId: string,
): Promise<{ tenantId: string; roomId: string; ticket: string } | undefined> {
  const [row] = await query<{ tenantId: string; roomId: string; ticket: string }[]>`
    select tenant_id as "tenantId", room_id as "roomId", ticket
      from connection_tests
     where id = ${connectionTestId}
  `
  return row
}

export interface ConnectionTestList {
  tenantId: string
  externalType: string | undefined
  externalId: string | undefined
  status: ConnectionTestStatus | undefined
  after: { createdAt: Date; id: string } | undefined
  limit: PageRequest['limit']
}

/** Newest first. */
export async function listConnectionTests(
  query: Query,
  { tenantId, externalType, externalId, status, after, limit }: ConnectionTestList,
  now: Date,
): Promise<ConnectionTest[]> {
  const ofRef =
    externalType === undefined || externalId === undefined
      ? query``
      : query`and t.external_type = ${externalType} and t.external_id = ${externalId}`
  const ofStatus =
    status === undefined
      ? query``
      : query`and case when ${isOver(query, now)} then 'expired' else t.status end = ${status}`
  const behind =
    after === undefined
      ? query``
      : query`and (t.created_at, t.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`
  return query<ConnectionTest[]>`
    ${selection(query, now)}
     where t.tenant_id = ${tenantId} ${ofRef} ${ofStatus} ${behind}
     order by t.created_at desc, t.id desc
     limit ${limit + 1}
  `
}

export type NewConnectionTestRow = Pick<
  ConnectionTest,
  | 'id'
  | 'tenantId'
  | 'roomId'
  | 'externalType'
  | 'externalId'
  | 'name'
  | 'locale'
  | 'hasRecording'
  | 'ticket'
  | 'expiresAt'
  | 'repeatOf'
  | 'attempt'
>

/**
 * Returns the time of creation, which is later than that of every other test of the tenant. Waits for concurrent starts of
 * the tenant until their transactions end, so that a list by that time misses no test. Call it as late as possible. Returns
 * undefined when the test that this one repeats already has a repeat.
 */
export async function insertConnectionTest(
  tx: Tx,
  test: NewConnectionTestRow,
  now: Date,
): Promise<Date | undefined> {
  await lockByName(tx, `connection-tests:${test.tenantId}`)
  const [row] = await tx<{ createdAt: Date }[]>`
    insert into connection_tests (id, tenant_id, room_id, external_type, external_id, name, locale,
                                  has_recording, ticket, expires_at, repeat_of, attempt,
                                  created_at)
    values (${test.id}, ${test.tenantId}, ${test.roomId}, ${test.externalType},
            ${test.externalId}, ${test.name}, ${test.locale}, ${test.hasRecording},
            ${test.ticket}, ${test.expiresAt}, ${test.repeatOf}, ${test.attempt},
            greatest(${now}::timestamptz,
                     (select max(created_at) + interval '1 millisecond'
                        from connection_tests where tenant_id = ${test.tenantId})))
    on conflict (repeat_of) do nothing
    returning created_at as "createdAt"
  `
  return row?.createdAt
}

/** The test that repeats this one. */
export async function findRepeatOf(
  query: Query,
  connectionTestId: string,
): Promise<Pick<ConnectionTest, 'id' | 'ticket'> | undefined> {
  const [row] = await query<Pick<ConnectionTest, 'id' | 'ticket'>[]>`
    select id, ticket from connection_tests where repeat_of = ${connectionTestId}
  `
  return row
}

/** Keeps a test from being erased until the transaction ends. Returns false when it no longer exists. */
export async function keepConnectionTest(tx: Tx, connectionTestId: string): Promise<boolean> {
  const rows = await tx`
    select 1 from connection_tests where id = ${connectionTestId} for key share
  `
  return rows.length > 0
}

/** Starts a waiting test, or notes that a running one is alive. */
export async function markRunning(
  tx: Tx,
  { tenantId, connectionTestId }: ConnectionTestKey,
  { at, client }: { at: Date; client: Facts['client'] },
): Promise<void> {
  await tx`
    update connection_tests
       set status = 'running', started_at = coalesce(started_at, ${at}), seen_at = ${at},
           client = ${json(client)}
     where id = ${connectionTestId}
       and tenant_id = ${tenantId}
       and status in ('pending', 'running')
  `
}

export interface TestResult extends Omit<Facts, 'client'> {
  status: 'completed' | 'failed'
  completedAt: Date
  /** The raw samples. */
  samples: readonly object[] | null
}

/** Ends a running test with its result. */
export async function markFinished(
  tx: Tx,
  { tenantId, connectionTestId }: ConnectionTestKey,
  result: TestResult,
): Promise<void> {
  await tx`
    update connection_tests
       set status = ${result.status}, completed_at = ${result.completedAt},
           measured_sec = ${result.measuredSec}, devices = ${json(result.devices)},
           baseline = ${json(result.baseline)}, load = ${json(result.load)},
           summary = ${json(result.summary)}, failure_reason = ${result.failureReason},
           samples = ${json(result.samples)}
     where id = ${connectionTestId}
       and tenant_id = ${tenantId}
       and status = 'running'
  `
}

/** Expires a test whose time is over. Returns false when it has already ended or still has time. */
export async function markExpired(
  tx: Tx,
  { tenantId, connectionTestId }: ConnectionTestKey,
  now: Date,
): Promise<boolean> {
  const { count } = await tx`
    update connection_tests t
       set status = 'expired'
      from rooms r
     where t.id = ${connectionTestId}
       and t.tenant_id = ${tenantId}
       and r.id = t.room_id
       and ${isOver(tx, now)}
  `
  return count === 1
}

/** Tests whose time is over but whose room may still be open. Leaves out those that wait for a retry by a job. */
export async function listOverdue(
  query: Query,
  { retriedBy, now, limit }: { retriedBy: string; now: Date; limit: number },
): Promise<(ConnectionTestKey & { roomId: string })[]> {
  return query<(ConnectionTestKey & { roomId: string })[]>`
    select t.id as "connectionTestId", t.tenant_id as "tenantId", t.room_id as "roomId"
      from connection_tests t
      join rooms r on r.id = t.room_id
     where ${isOver(query, now)}
       and not ${isPostponed(query, { kind: retriedBy, key: query`t.id::text` })}
     order by t.expires_at
     limit ${limit}
  `
}
