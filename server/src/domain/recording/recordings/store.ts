import type { RecordingStatus } from '@interview-room/contract/vocabulary.ts'
import { type Query, type Tx, toSafeInteger } from '../../../platform/db/db.ts'
import type { PageRequest } from '../../../platform/ports/paging.ts'
import type { LockedRoom, LockedRoomKey, RoomKey } from '../../room-log/room-lock.ts'
import type { Recording, RecordingKey } from './recording.ts'

type RecordingRow = Omit<Recording, 'sizeBytes'> & { sizeBytes: bigint | null }

function selection(query: Query) {
  return query`
    select id, tenant_id as "tenantId", room_id as "roomId", seq,
           provider_archive_id as "providerArchiveId", status, version,
           output_mode as "outputMode", storage_key as "storageKey", size_bytes as "sizeBytes",
           duration_sec as "durationSec", composing_since as "composingSince",
           composed_percent as "composedPercent", composed_at as "composedAt",
           created_at as "createdAt", updated_at as "updatedAt"
      from recordings
  `
}

function toRecording({ sizeBytes, ...row }: RecordingRow): Recording {
  return { ...row, sizeBytes: sizeBytes === null ? null : toSafeInteger(sizeBytes) }
}

/** @param lock keeps the recording from changing until the transaction ends. */
export async function findRecording(
  query: Query,
  { tenantId, recordingId }: RecordingKey,
  lock?: 'for update' | 'for share',
): Promise<Recording | undefined> {
  const [row] = await query<RecordingRow[]>`
    ${selection(query)}
     where id = ${recordingId} and tenant_id = ${tenantId} and provider_archive_id is not null
     ${lock === undefined ? query`` : lock === 'for share' ? query`for share` : query`for update`}
  `
  return row && toRecording(row)
}

/** A recording that is locked together with its room, for a change. */
export type LockedRecording = Recording & LockedRoom

export async function findLockedRecording(
  tx: Tx,
  locked: LockedRoomKey,
  recordingId: string,
): Promise<LockedRecording | undefined> {
  const recording = await findRecording(tx, { ...locked, recordingId }, 'for update')
  return recording?.roomId === locked.roomId ? { ...recording, ...locked } : undefined
}

/** Stores the progress of its composition; 0 restarts it. Returns undefined when it is no longer being composed. */
export async function storeProgress(
  tx: Tx,
  { id, percent, at }: { id: string; percent: number; at: Date },
): Promise<{ isRoomOpen: boolean } | undefined> {
  const [row] = await tx<{ isRoomOpen: boolean }[]>`
    update recordings c
       set composing_since = case when ${percent}::integer = 0 then ${at}::timestamptz
                                  else coalesce(composing_since, ${at}::timestamptz) end,
           composed_percent = ${percent}, composed_at = ${at}
      from rooms r
     where c.id = ${id} and c.status = 'stopped' and r.id = c.room_id
    returning r.closed_at is null as "isRoomOpen"
  `
  return row
}

export async function listRecordings(
  query: Query,
  { roomId, after, limit }: PageRequest & { roomId: string },
): Promise<Recording[]> {
  const rows = await query<RecordingRow[]>`
    ${selection(query)}
     where room_id = ${roomId}
       and provider_archive_id is not null
       and seq > ${after ?? '0'}::bigint
     order by seq
     limit ${limit + 1}
  `
  return rows.map(toRecording)
}

/** The room's recordings that have ended and whose file is not being made. */
export async function listEndedOf(tx: Tx, { tenantId, roomId }: RoomKey): Promise<RecordingKey[]> {
  return tx<RecordingKey[]>`
    select id as "recordingId", tenant_id as "tenantId"
      from recordings
     where room_id = ${roomId} and tenant_id = ${tenantId}
       and status in ('available', 'expired', 'failed')
     order by seq
  `
}

/** The file of an uploaded recording, final from then on. */
export interface RecordingFile {
  storageKey: string
  sizeBytes: number
  durationSec: number
}

export interface StatusChange {
  from: RecordingStatus
  to: RecordingStatus
  /** Null keeps the stored facts about the file. */
  file: RecordingFile | null
  failureReason: string | null
  at: Date
}

/** Returns the version after the change, or undefined when the recording is in another state. */
export async function updateStatus(
  tx: Tx,
  id: string,
  { from, to, file, failureReason, at }: StatusChange,
): Promise<number | undefined> {
  const [row] = await tx<{ version: number }[]>`
    update recordings
       set status         = ${to},
           version        = version + 1,
           storage_key    = coalesce(${file?.storageKey ?? null}, storage_key),
           size_bytes     = coalesce(${file?.sizeBytes ?? null}, size_bytes),
           duration_sec   = coalesce(${file?.durationSec ?? null}, duration_sec),
           failure_reason = ${failureReason},
           updated_at     = ${at}
     where id = ${id}
       and status = ${from}
    returning version
  `
  return row?.version
}

/** Records that the storage lacks its file. Returns the time since when. */
export async function noteFileMissing(
  query: Query,
  { id, at }: { id: string; at: Date },
): Promise<Date> {
  const [row] = await query<{ since: Date }[]>`
    update recordings set missing_since = coalesce(missing_since, ${at}) where id = ${id}
    returning missing_since as since
  `
  return row?.since ?? at
}

/** Available recordings with their files, by id. */
export async function listAvailable(
  query: Query,
  { after, limit }: { after: string; limit: number },
): Promise<(RecordingKey & { storageKey: string })[]> {
  return query<(RecordingKey & { storageKey: string })[]>`
    select id as "recordingId", tenant_id as "tenantId", storage_key as "storageKey"
      from recordings
     where status = 'available'
       and id > ${after}
     order by id
     limit ${limit}
  `
}

/** Every object of a recording, and the upload that may still be written. */
export interface RecordingFiles {
  storageKey: string | null
  processedKey: string | null
  uploadKey: string | null
  uploadExpiresAt: Date | null
  clipKeys: string[]
  voiceKeys: string[]
  resultKeys: string[]
}

/** The recording must exist. */
export async function findFiles(tx: Tx, recordingId: string): Promise<RecordingFiles> {
  const [row] = await tx<[RecordingFiles]>`
    select r.storage_key as "storageKey", p.storage_key as "processedKey",
           p.upload_key as "uploadKey", p.upload_expires_at as "uploadExpiresAt",
           array(select c.storage_key
                   from clips c
                  where (c.recording_id = r.id
                         or (c.room_id = r.room_id and r.id = any(c.recording_ids)))
                    and c.storage_key is not null) as "clipKeys",
           array(select v.storage_key
                   from recording_voices v
                  where v.recording_id = r.id) as "voiceKeys",
           array(select t.result_key
                   from transcriptions t
                  where t.recording_id = r.id
                    and t.result_key is not null
                  union
                 select unnest(array[v.result_key, v.words_key])
                   from transcriptions t
                   join transcription_revisions v on v.transcription_id = t.id
                  where t.recording_id = r.id) as "resultKeys"
      from recordings r
      left join processed_recordings p on p.recording_id = r.id
     where r.id = ${recordingId}
  `
  return row
}

export async function deleteRecordingRow(
  tx: Tx,
  { tenantId, recordingId }: RecordingKey,
): Promise<void> {
  await tx`delete from recordings where id = ${recordingId} and tenant_id = ${tenantId}`
}

export async function insertDeletion(
  tx: Tx,
  { tenantId, recordingId, roomId, at }: RecordingKey & { roomId: string; at: Date },
): Promise<void> {
  await tx`
    insert into recording_deletions (recording_id, tenant_id, room_id, deleted_at)
    values (${recordingId}, ${tenantId}, ${roomId}, ${at})
  `
}

export async function isDeleted(
  query: Query,
  { tenantId, recordingId }: RecordingKey,
): Promise<boolean> {
  const rows = await query`
    select 1 from recording_deletions
     where recording_id = ${recordingId} and tenant_id = ${tenantId}
  `
  return rows.length === 1
}
