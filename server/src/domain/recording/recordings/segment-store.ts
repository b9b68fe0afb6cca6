import { CAPTURE_EXTENSION } from '@interview-room/composer/capture/capture-archive.ts'
import { json, type Query, type Tx } from '../../../platform/db/db.ts'
import {
  type CompleteSegment,
  inState,
  type RequestedSegment,
  type Segment,
  type SegmentFailure,
  type SegmentFields,
  type SegmentPerson,
  type SegmentStatus,
  UNKNOWN,
} from './segment.ts'

/** The table holds the fields of all states in one row. */
type SegmentRow = Omit<SegmentFields, 'person' | 'doubt' | 'sizeBytes' | 'writtenBytes'> &
  SegmentPerson & {
    status: SegmentStatus
    mediaIdentity: string | null
    sizeBytes: bigint | null
    writtenBytes: bigint | null
  }

function selection(query: Query) {
  return query`
    select id, room_id as "roomId", recording_id as "recordingId", position,
           media_identity as "mediaIdentity", participant_id as "participantId", role,
           display_name as "displayName", attempt, egress_id as "egressId", recorder, status,
           status_at as "statusAt", asked_at as "askedAt", alive_at as "aliveAt",
           ends_asked_at as "endsAskedAt", storage_key as "storageKey", started_at as "startedAt",
           size_bytes as "sizeBytes", duration_sec as "durationSec",
           failure_reason as "failureReason", is_overdue as "isOverdue",
           recorder_seen_at is not null as "isRecorderSeen",
           recorder_gone_at as "recorderGoneAt", written_bytes as "writtenBytes",
           grown_at as "grownAt", stalled_at as "stalledAt", clock_offset_ms as "clockOffsetMs",
           absences, created_at as "createdAt"
      from recording_segments
  `
}

/** The table's constraints and the single writer guarantee the fields of each state. */
function toSegment(row: SegmentRow): Segment {
  const { status, mediaIdentity, participantId, role, displayName, ...rest } = row
  return inState(status, {
    ...rest,
    person: mediaIdentity === null ? null : { mediaIdentity, participantId, role, displayName },
    doubt: rest.failureReason as SegmentFailure | null,
    sizeBytes: toNumber(rest.sizeBytes),
    writtenBytes: toNumber(rest.writtenBytes),
  })
}

function toNumber(value: bigint | null): number | null {
  return value === null ? null : Number(value)
}

export type NewSegment = Pick<
  Segment,
  'id' | 'roomId' | 'recordingId' | 'position' | 'person' | 'attempt' | 'storageKey' | 'createdAt'
>

export async function insertSegment(tx: Tx, segment: NewSegment): Promise<void> {
  const { person } = segment
  await tx`
    insert into recording_segments (id, room_id, recording_id, position, media_identity,
                                    participant_id, role, display_name, attempt, status_at,
                                    storage_key, created_at)
    values (${segment.id}, ${segment.roomId}, ${segment.recordingId}, ${segment.position},
            ${person?.mediaIdentity ?? null}, ${person?.participantId ?? null},
            ${person?.role ?? null}, ${person?.displayName ?? null}, ${segment.attempt},
            ${segment.createdAt}, ${segment.storageKey}, ${segment.createdAt})
  `
}

/** Oldest first. */
export async function listSegments(query: Query, recordingId: string): Promise<Segment[]> {
  const rows = await query<SegmentRow[]>`
    ${selection(query)} where recording_id = ${recordingId} order by position, created_at, id
  `
  return rows.map((row) => toSegment(row))
}

/** Captures of all rooms that are being written or about to be. */
export async function listRunningCaptures(query: Query): Promise<Segment[]> {
  const rows = await query<SegmentRow[]>`
    ${selection(query)}
     where (status not in ('complete', 'failed', 'aborted') or recording_id is null)
       and status in ('starting', 'active')
       and ends_asked_at is null
       and storage_key like ${`%${CAPTURE_EXTENSION}`}
  `
  return rows.map((row) => toSegment(row))
}

/** Segments of this room that the provider is still busy with, and those that were given up. */
export async function listUnfinishedSegments(query: Query, roomId: string): Promise<Segment[]> {
  const rows = await query<SegmentRow[]>`
    ${selection(query)}
     where room_id = ${roomId}
       and (status not in ('complete', 'failed', 'aborted') or recording_id is null)
     order by created_at, id
  `
  return rows.map((row) => toSegment(row))
}

/** A name of one segment. Only the service makes the keys to which segments are written. */
export type SegmentRef = { id: string } | { egressId: string } | { storageKey: string }

export async function findSegment(
  query: Query,
  { roomId, ...ref }: { roomId: string } & SegmentRef,
  lock?: 'for update',
): Promise<Segment | undefined> {
  const [row] = await query<SegmentRow[]>`
    ${selection(query)}
     where room_id = ${roomId}
       and ${nameOf(query, ref)}
       ${lock === undefined ? query`` : query`for update`}
  `
  return row && toSegment(row)
}

function nameOf(query: Query, ref: SegmentRef) {
  if ('id' in ref) return query`id = ${ref.id}`
  if ('egressId' in ref) return query`egress_id = ${ref.egressId}`
  return query`storage_key = ${ref.storageKey}`
}

/**
 * Stores the recorder that is asked for a segment, and may be writing it from now on; null once all have refused. Returns
 * false if the segment is not wanted any more, or is being written.
 */
export async function noteAsked(
  query: Query,
  { id, storageKey, recorder, askedAt }: RequestedSegment,
): Promise<boolean> {
  const { count } = await query`
    update recording_segments
       set storage_key = ${storageKey}, recorder = ${recorder}, asked_at = ${askedAt}
     where id = ${id} and status = 'requested' and egress_id is null
       and (ends_asked_at is null or ${recorder}::text is null)
  `
  return count === 1
}

/** Gives up the segment wherever it was asked for: it ends and is discarded. Returns false if it is not wanted any more. */
export async function giveUpAsked(tx: Tx, id: string, at: Date): Promise<boolean> {
  const { count } = await tx`
    update recording_segments set recording_id = null, ends_asked_at = ${at}
     where id = ${id} and status = 'requested' and egress_id is null and ends_asked_at is null
  `
  return count === 1
}

/** Stores a new state of a segment that is locked with its room. Columns of other states stay. */
export async function storeSegment(tx: Tx, segment: Segment, at: Date): Promise<void> {
  const row = { ...UNKNOWN, ...segment }
  const failureReason = segment.status === 'ending' ? segment.doubt : row.failureReason
  // The recorder's report stays until the segment is composed.
  const absences = segment.status === 'active' ? json(segment.absences) : null
  await tx`
    update recording_segments
       set status           = ${segment.status},
           status_at        = ${segment.statusAt},
           ends_asked_at    = ${segment.endsAskedAt},
           egress_id        = coalesce(${row.egressId}, egress_id),
           recorder         = ${row.recorder},
           clock_offset_ms  = ${row.clockOffsetMs},
           recorder_seen_at = case when ${row.isRecorderSeen} then coalesce(recorder_seen_at, ${at}) end,
           recorder_gone_at = ${row.recorderGoneAt},
           stalled_at       = ${row.stalledAt},
           started_at       = ${row.startedAt},
           alive_at         = coalesce(${row.aliveAt}, alive_at),
           written_bytes    = coalesce(${row.writtenBytes}::bigint, written_bytes),
           grown_at         = coalesce(${row.grownAt}, grown_at),
           size_bytes       = coalesce(${row.sizeBytes}::bigint, size_bytes),
           duration_sec     = coalesce(${row.durationSec}, duration_sec),
           absences         = coalesce(${absences}::jsonb, absences),
           failure_reason   = ${failureReason},
           is_overdue       = ${row.isOverdue}
     where id = ${segment.id}
  `
}

/** Asks all of its running segments to end. */
export async function requestEnd(tx: Tx, recordingId: string, at: Date): Promise<void> {
  await tx`
    update recording_segments
       set ends_asked_at = ${at}
     where recording_id = ${recordingId}
       and ends_asked_at is null
       and status not in ('complete', 'failed', 'aborted')
  `
}

/**
 * Ends its segments and discards what they wrote.
 * @param keepsWritten segments stay that have content or may still get some: those that had begun before they were asked to end.
 */
export async function giveUpSegments(
  tx: Tx,
  recordingId: string,
  { at, keepsWritten = false }: { at: Date; keepsWritten?: boolean },
): Promise<void> {
  await tx`
    update recording_segments
       set recording_id = null, ends_asked_at = coalesce(ends_asked_at, ${at})
     where recording_id = ${recordingId}
       and not (${keepsWritten}
                and (size_bytes is not null or is_overdue
                     or coalesce(started_at <= coalesce(ends_asked_at, 'infinity'), false)))
  `
}

export async function deleteSegments(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`delete from recording_segments where id = any(${[...ids]})`
}

/**
 * Stores which of all segments the storage lacks. Returns the times since when these have been missing, by id. One check proves
 * little: a volume may not be mounted yet, or a list may be incomplete. So the time counts from the first check that missed it.
 */
export async function noteMissing(
  query: Query,
  { all, missing, at }: { all: readonly string[]; missing: readonly string[]; at: Date },
): Promise<ReadonlyMap<string, Date>> {
  const rows = await query<{ id: string; since: Date | null }[]>`
    update recording_segments
       set missing_since = case when id = any(${[...missing]}) then coalesce(missing_since, ${at}) end
     where id = any(${[...all]})
    returning id, missing_since as since
  `
  return new Map(rows.flatMap(({ id, since }) => (since === null ? [] : [[id, since] as const])))
}

/** Stores the gaps in a segment's capture, or its length in the recording's file. The provider may have reported another one. */
export async function noteMade(
  query: Query,
  {
    id,
    absences,
    durationSec = null,
  }: Pick<CompleteSegment, 'id'> & {
    absences?: CompleteSegment['absences']
    durationSec?: number | null
  },
): Promise<void> {
  await query`
    update recording_segments
       set absences = coalesce(${absences === undefined ? null : json(absences)}::jsonb, absences),
           duration_sec = coalesce(${durationSec}, duration_sec)
     where id = ${id}
  `
}
