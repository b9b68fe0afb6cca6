import type { ClipStatus } from '@interview-room/contract/vocabulary.ts'
import { json, type Query, toSafeInteger, type Tx } from '../../../platform/db/db.ts'
import type { PageRequest } from '../../../platform/ports/paging.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import type { TrimmedFile } from '../trims/trim.ts'
import { type Clip, type Reel, recordingIdsOf } from './clip.ts'

/** A clip, or a reel, which is a clip of several parts. */
export interface ClipId {
  tenantId: string
  clipId: string
  isReel?: boolean
}

type ClipRow = Omit<Clip, 'sizeBytes'> & { sizeBytes: bigint | null }

function columns(query: Query) {
  return query`
    id, tenant_id as "tenantId", recording_id as "recordingId", seq, title, tags,
    start_sec as "startSec", end_sec as "endSec", viewer_reference as "viewerReference",
    viewer_name as "viewerName", room_id as "roomId", reel, watermark,
    progress_percent as "progressPercent", status, attempt, attempted_at as "attemptedAt",
    storage_key as "storageKey", size_bytes as "sizeBytes", duration_sec as "durationSec",
    failure_reason as "failureReason", created_at as "createdAt", updated_at as "updatedAt"
  `
}

/** The table's constraints guarantee the unions. */
function toClip({ sizeBytes, ...row }: ClipRow): Clip {
  return { ...row, sizeBytes: sizeBytes === null ? null : toSafeInteger(sizeBytes) } as Clip
}

/** `mode` locks it until the transaction ends. */
export async function findClip(
  query: Query,
  { tenantId, clipId, isReel = false }: ClipId,
  mode?: 'update' | 'share',
): Promise<Clip | undefined> {
  const lock = { update: query`for update`, share: query`for share` }
  const [row] = await query<ClipRow[]>`
    select ${columns(query)}
      from clips
     where id = ${clipId}
       and tenant_id = ${tenantId}
       and (reel is not null) = ${isReel}
       ${mode === undefined ? query`` : lock[mode]}
  `
  return row && toClip(row)
}

export type NewClipRow = Pick<
  Clip,
  | 'id'
  | 'tenantId'
  | 'recordingId'
  | 'seq'
  | 'title'
  | 'tags'
  | 'startSec'
  | 'endSec'
  | 'viewerReference'
  | 'viewerName'
  | 'roomId'
  | 'reel'
  | 'watermark'
  | 'createdAt'
>

/** Inserts a pending clip. */
export async function insertClip(tx: Tx, clip: NewClipRow): Promise<Clip> {
  const [row] = await tx<ClipRow[]>`
    insert into clips (id, tenant_id, recording_id, seq, title, tags, start_sec, end_sec,
                       viewer_reference, viewer_name, room_id, reel, recording_ids, watermark,
                       status, created_at, updated_at)
    values (${clip.id}, ${clip.tenantId}, ${clip.recordingId}, ${clip.seq}, ${clip.title},
            ${clip.tags},
            ${clip.startSec}, ${clip.endSec}, ${clip.viewerReference}, ${clip.viewerName},
            ${clip.roomId}, ${clip.reel === null ? null : json(clip.reel)}::jsonb,
            ${clip.reel === null ? [] : recordingIdsOf(clip)}, ${clip.watermark}, 'pending', ${clip.createdAt}, ${clip.createdAt})
    returning ${columns(tx)}
  `
  if (row === undefined) throw new Error('the database returned no clip')
  return toClip(row)
}

export async function countClips(query: Query, recordingId: string): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::int as count from clips where recording_id = ${recordingId} and reel is null
  `
  return row?.count ?? 0
}

export async function countReels(query: Query, roomId: string): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::int as count from clips where room_id = ${roomId}
  `
  return row?.count ?? 0
}

/** Clips of the recordings of a room, kept until the transaction ends. */
export async function findClipsOfRoom(
  tx: Tx,
  { roomId, clipIds }: { roomId: string; clipIds: readonly string[] },
): Promise<Clip[]> {
  const rows = await tx<ClipRow[]>`
    select ${columns(tx)}
      from clips
     where id = any(${[...clipIds]}::uuid[])
       and reel is null
       and recording_id in (select id from recordings where room_id = ${roomId})
       for share
  `
  return rows.map(toClip)
}

/** Oldest first. Reads one more than the limit. */
export async function listClips(
  query: Query,
  { recordingId, after, limit }: PageRequest & { recordingId: string },
): Promise<Clip[]> {
  const rows = await query<ClipRow[]>`
    select ${columns(query)}
      from clips
     where recording_id = ${recordingId}
       and reel is null
       and seq > ${after ?? '0'}::bigint
     order by seq
     limit ${limit + 1}
  `
  return rows.map(toClip)
}

/** The same for the reels of a room, or those of them that show only this recording. */
export async function listReels(
  query: Query,
  {
    roomId,
    recordingId,
    after,
    limit,
  }: PageRequest & { roomId: string; recordingId: string | undefined },
): Promise<Reel[]> {
  const rows = await query<ClipRow[]>`
    select ${columns(query)}
      from clips
     where room_id = ${roomId}
       and (${recordingId ?? null}::uuid is null or recording_ids = array[${recordingId ?? null}::uuid])
       and seq > ${after ?? '0'}::bigint
     order by seq
     limit ${limit + 1}
  `
  return rows.map(toClip) as Reel[]
}

/** The pending clips by id. */
export async function listUnfinished(
  query: Query,
  { after, limit }: { after: string; limit: number },
): Promise<Clip[]> {
  const rows = await query<ClipRow[]>`
    select ${columns(query)}
      from clips
     where status = 'pending'
       and id > ${after}
     order by id
     limit ${limit}
  `
  return rows.map(toClip)
}

/** Records another attempt. Returns its number. */
export async function insertAttempt(tx: Tx, id: string, at: Date): Promise<number> {
  const [row] = await tx<{ attempt: number }[]>`
    update clips
       set attempt          = attempt + 1,
           attempted_at     = ${at},
           progress_percent = 0
     where id = ${id}
    returning attempt
  `
  if (row === undefined) throw new Error('the clip is not held')
  return row.attempt
}

/** True while this is the latest attempt and the clip is pending. */
export async function isAttemptOpen(
  query: Query,
  { id, attempt }: { id: string; attempt: number },
): Promise<boolean> {
  const rows = await query`
    select 1 from clips where id = ${id} and status = 'pending' and attempt = ${attempt}
  `
  return rows.length === 1
}

/** Notes the progress of the latest attempt. */
export async function updateProgress(
  query: Query,
  { id, attempt, percent }: { id: string; attempt: number; percent: number },
): Promise<void> {
  await query`
    update clips
       set progress_percent = ${percent}
     where id = ${id} and status = 'pending' and attempt = ${attempt}
  `
}

export interface ClipChange {
  to: Exclude<ClipStatus, 'pending'>
  file: TrimmedFile | null
  failureReason: string | null
  at: Date
}

export async function updateStatus(
  tx: Tx,
  id: string,
  { to, file, failureReason, at }: ClipChange,
): Promise<void> {
  await tx`
    update clips
       set status           = ${to},
           storage_key      = ${file?.storageKey ?? null},
           size_bytes       = ${file?.sizeBytes ?? null},
           duration_sec     = ${file?.durationSec ?? null},
           failure_reason   = ${failureReason},
           progress_percent = null,
           updated_at       = ${at}
     where id = ${id}
  `
}

/** Deletes a clip and records that it existed. */
export async function deleteClipRow(
  tx: Tx,
  { id, tenantId, recordingId }: Pick<Clip, 'id' | 'tenantId' | 'recordingId'>,
  at: Date,
): Promise<void> {
  await tx`delete from clips where id = ${id}`
  await tx`
    insert into clip_deletions (clip_id, tenant_id, recording_id, deleted_at)
    values (${id}, ${tenantId}, ${recordingId}, ${at})
  `
}

/** Deletes the clips of a recording, and the reels that show it. */
export async function deleteClipsOf(
  tx: Tx,
  { id, roomId }: { id: string; roomId: string },
): Promise<void> {
  await tx`
    delete from clips
     where recording_id = ${id}
        or (room_id = ${roomId} and ${id}::uuid = any(recording_ids))
  `
}

/** The recording of an existing or deleted clip, and all that a reel shows. */
export async function findRecordingOf(
  query: Query,
  { tenantId, clipId, isReel }: ClipId,
): Promise<(RecordingKey & { recordingIds: string[] }) | undefined> {
  const [row] = await query<(RecordingKey & { recordingIds: string[] })[]>`
    select tenant_id as "tenantId", recording_id as "recordingId",
           recording_ids || recording_id as "recordingIds"
      from clips
     where id = ${clipId} and tenant_id = ${tenantId}
       and (reel is not null) = ${isReel ?? false}
     union all
    select tenant_id, recording_id, array[recording_id]
      from clip_deletions
     where clip_id = ${clipId} and tenant_id = ${tenantId}
  `
  return row
}
