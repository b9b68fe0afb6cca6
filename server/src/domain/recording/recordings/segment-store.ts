import { CAPTURE_EXTENSION } from '@interview-room/composer/capture/capture-archive.ts'
import type { Query, Tx } from '../../../platform/db/db.ts'
import type { Segment, SegmentPerson, SegmentStatus } from './segment.ts'

type SegmentRow = Omit<Segment, 'person' | 'sizeBytes' | 'writtenBytes'> & {
  mediaIdentity: string | null
  participantId: string | null
  role: SegmentPerson['role']
  displayName: string
  sizeBytes: bigint | null
  writtenBytes: bigint | null
}

function selection(query: Query) {
  return query`
    select id, room_id as "roomId", recording_id as "recordingId", position,
           media_identity as "mediaIdentity", participant_id as "participantId", role,
           display_name as "displayName", attempt, egress_id as "egressId", recorder, status,
           status_at as "statusAt", asked_at as "askedAt", alive_at as "aliveAt",
           status = 'requested' and (asked_at is null or (ask_failed_at is not null and recorder is null))
             as "isUntaken",
           ends_asked_at as "endsAskedAt", storage_key as "storageKey", started_at as "startedAt", ended_at as "endedAt",
           size_bytes as "sizeBytes", duration_sec as "durationSec",
           failure_reason as "failureReason", is_overdue as "isOverdue",
           recorder_gone_at as "recorderGoneAt", written_bytes as "writtenBytes",
           grown_at as "grownAt", stalled_at as "stalledAt", clock_offset_ms as "clockOffsetMs",
           absences, created_at as "createdAt"
      from recording_segments
  `
}

function toSegment(row: SegmentRow): Segment {
  const { mediaIdentity, participantId, role, displayName, sizeBytes, writtenBytes, ...rest } = row
  return {
    ...rest,
    sizeBytes: sizeBytes === null ? null : Number(sizeBytes),
    writtenBytes: writtenBytes === null ? null : Number(writtenBytes),
    person: mediaIdentity === null ? null : { mediaIdentity, participantId, role, displayName },
  }
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

export async function findSegmentOf(query: Query, egressId: string): Promise<Segment | undefined> {
  const [row] = await query<SegmentRow[]>`${selection(query)} where egress_id = ${egressId}`
  return row && toSegment(row)
}

/** The segment that is to be written to this key. Only the service makes these keys. */
export async function findSegmentByKey(
  query: Query,
  { roomId, storageKey }: { roomId: string; storageKey: string },
): Promise<Segment | undefined> {
  const [row] = await query<SegmentRow[]>`
    ${selection(query)} where room_id = ${roomId} and storage_key = ${storageKey}
  `
  return row && toSegment(row)
}

/** Returns false when it already has an egress. */
export async function setEgress(
  tx: Tx,
  {
    id,
    egressId,
    recorder,
    clockOffsetMs,
  }: { id: string; egressId: string; recorder: string; clockOffsetMs: number | null },
): Promise<boolean> {
  const { count } = await tx`
    update recording_segments
       set egress_id = ${egressId}, recorder = ${recorder}, clock_offset_ms = ${clockOffsetMs}
     where id = ${id} and egress_id is null
  `
  return count === 1
}

export interface SegmentChange {
  id: string
  from: SegmentStatus
  to: SegmentStatus
  startedAt: Date | null
  endedAt: Date | null
  file: { sizeBytes: number; durationSec: number } | null
  reason: string | null
  isOverdue: boolean
  at: Date
}

/** Returns false when it is in another status by now. */
export async function updateSegment(tx: Tx, change: SegmentChange): Promise<boolean> {
  const { file } = change
  const { count } = await tx`
    update recording_segments
       set status         = ${change.to},
           status_at      = ${change.at},
           -- The file's own beginning may be reported later than that of its egress.
           started_at     = coalesce(${change.startedAt}, started_at),
           ended_at       = coalesce(${change.endedAt}, ended_at),
           size_bytes     = coalesce(${file?.sizeBytes ?? null}, size_bytes),
           duration_sec   = coalesce(${file?.durationSec ?? null}, duration_sec),
           failure_reason = ${change.reason},
           is_overdue     = ${change.isOverdue}
     where id = ${change.id}
       and status = ${change.from}
  `
  return count === 1
}

/**
 * Records that it has ended and its provider reports a loss, so that the storage decides. Returns false when it is in
 * another status by now.
 */
export async function leaveToStorage(
  tx: Tx,
  {
    id,
    from,
    reason,
    endedAt,
    at,
  }: Pick<SegmentChange, 'id' | 'from' | 'endedAt' | 'at'> & {
    reason: string
  },
): Promise<boolean> {
  const { count } = await tx`
    update recording_segments
       set status         = 'ending',
           status_at      = case when status = 'ending' then status_at else ${at} end,
           ended_at       = coalesce(${endedAt}, ended_at),
           failure_reason = ${reason}
     where id = ${id}
       and status = ${from}
  `
  return count === 1
}

/** Sets the exact start, which the provider reports later. Returns false when it was already known. */
export async function correctStart(tx: Tx, id: string, startedAt: Date): Promise<boolean> {
  const { count } = await tx`
    update recording_segments
       set started_at = ${startedAt}
     where id = ${id} and started_at is distinct from ${startedAt}
  `
  return count === 1
}

/** Records a sign of life from the provider. */
export async function noteAlive(query: Query, id: string, at: Date): Promise<void> {
  await query`update recording_segments set alive_at = greatest(alive_at, ${at}) where id = ${id}`
}

/** Records the bytes that its recorder has written. The same number is no growth. A resumed recorder counts from zero. */
export async function noteGrowth(
  query: Query,
  { id, writtenBytes, at }: { id: string; writtenBytes: number; at: Date },
): Promise<void> {
  await query`
    update recording_segments
       set written_bytes = ${writtenBytes}, grown_at = ${at}
     where id = ${id}
       and written_bytes is distinct from ${writtenBytes}
  `
}

/** Asks it to end, because it has stalled. */
export async function markStalled(
  tx: Tx,
  { id, stalledAt, at }: { id: string; stalledAt: Date; at: Date },
): Promise<void> {
  await tx`
    update recording_segments
       set stalled_at = ${stalledAt}, ends_asked_at = ${at}
     where id = ${id} and ends_asked_at is null
  `
}

/** Records that its recorder is in the media room. */
export async function noteRecorderSeen(
  query: Query,
  { egressId, at }: { egressId: string; at: Date },
): Promise<void> {
  await query`
    update recording_segments
       set recorder_seen_at = coalesce(recorder_seen_at, ${at}), recorder_gone_at = null
     where egress_id = ${egressId}
       and (recorder_seen_at is null or recorder_gone_at is not null)
  `
}

/**
 * Records that its recorder has left the media room. Returns false when that was already known, or it is no longer being
 * written.
 */
export async function noteRecorderGone(
  tx: Tx,
  { egressId, at, mustBeSeen }: { egressId: string; at: Date; mustBeSeen: boolean },
): Promise<boolean> {
  const { count } = await tx`
    update recording_segments
       set recorder_gone_at = ${at}
     where egress_id = ${egressId}
       and status in ('starting', 'active')
       and recorder_gone_at is null
       and (recorder_seen_at is not null or not ${mustBeSeen})
  `
  return count === 1
}

/** Returns true once for each status that was reported too late. */
export async function noteIgnored(tx: Tx, id: string, status: SegmentStatus): Promise<boolean> {
  const { count } = await tx`
    update recording_segments
       set ignored_status = ${status}
     where id = ${id}
       and ignored_status is distinct from ${status}
  `
  return count === 1
}

/** True if another segment with the same position has already begun. */
export async function isOneWritten(
  query: Query,
  { id, recordingId, position }: Pick<Segment, 'id' | 'recordingId' | 'position'>,
): Promise<boolean> {
  const rows = await query`
    select 1
      from recording_segments
     where recording_id = ${recordingId}
       and position = ${position}
       and id <> ${id}
       and started_at is not null
  `
  return rows.length > 0
}

/** True if the room was told that the recording is being written or was paused. */
export async function wasAnnounced(query: Query, recordingId: string): Promise<boolean> {
  const rows = await query`
    select 1
      from recording_segments
     where recording_id = ${recordingId}
       and (started_at is not null or position > 0)
  `
  return rows.length > 0
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
 * Ends and discards its segments, except those that have content or may still get some: segments that had begun before they
 * were asked to end.
 */
export async function giveUpLost(tx: Tx, recordingId: string, at: Date): Promise<void> {
  await tx`
    update recording_segments
       set recording_id = null, ends_asked_at = coalesce(ends_asked_at, ${at})
     where recording_id = ${recordingId}
       and size_bytes is null
       and not is_overdue
       and (started_at is null
            or started_at - coalesce(clock_offset_ms, 0) * interval '1 millisecond' > ends_asked_at)
  `
}

/** Ends all of its segments and discards what they wrote. */
export async function giveUpSegments(tx: Tx, recordingId: string, at: Date): Promise<void> {
  await tx`
    update recording_segments
       set recording_id = null, ends_asked_at = coalesce(ends_asked_at, ${at})
     where recording_id = ${recordingId}
  `
}

export async function deleteSegment(tx: Tx, id: string): Promise<void> {
  await tx`delete from recording_segments where id = ${id}`
}
