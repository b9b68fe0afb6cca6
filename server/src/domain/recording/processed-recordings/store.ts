import type { OutputMode, ProcessedStatus } from '@interview-room/contract/vocabulary.ts'
import { type Query, type Tx, toSafeInteger } from '../../../platform/db/db.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import type { ProcessedRecording } from './processed-recording.ts'

type ProcessedRow = Omit<ProcessedRecording, 'sizeBytes'> & { sizeBytes: bigint | null }

function columns(query: Query) {
  return query`
    id, tenant_id as "tenantId", recording_id as "recordingId", source,
    trim_start_sec as "trimStartSec", trim_end_sec as "trimEndSec", status, version,
    upload_key as "uploadKey", upload_expires_at as "uploadExpiresAt",
    storage_key as "storageKey", size_bytes as "sizeBytes", duration_sec as "durationSec",
    failure_reason as "failureReason", attempt, attempted_at as "attemptedAt", created_at as "createdAt", updated_at as "updatedAt"
  `
}

/** The table's constraints guarantee the unions. */
function toProcessed({ sizeBytes, ...row }: ProcessedRow): ProcessedRecording {
  const size = sizeBytes === null ? null : toSafeInteger(sizeBytes)
  return { ...row, sizeBytes: size } as ProcessedRecording
}

/** The one processed recording of a recording. `mode` locks it until the transaction ends. */
export async function findProcessed(
  query: Query,
  { tenantId, recordingId }: RecordingKey,
  mode?: 'update' | 'share',
): Promise<ProcessedRecording | undefined> {
  const lock = { update: query`for update`, share: query`for share` }
  const [row] = await query<ProcessedRow[]>`
    select ${columns(query)}
      from processed_recordings
     where recording_id = ${recordingId}
       and tenant_id = ${tenantId}
       ${mode === undefined ? query`` : lock[mode]}
  `
  return row && toProcessed(row)
}

/** The processed recordings of these recordings, in any order. */
export async function listProcessedOf(
  query: Query,
  recordingIds: readonly string[],
): Promise<ProcessedRecording[]> {
  const rows = await query<ProcessedRow[]>`
    select ${columns(query)} from processed_recordings where recording_id = any(${[...recordingIds]})
  `
  return rows.map(toProcessed)
}

export type NewProcessedRow = Pick<
  ProcessedRecording,
  | 'id'
  | 'tenantId'
  | 'recordingId'
  | 'source'
  | 'trimStartSec'
  | 'trimEndSec'
  | 'uploadKey'
  | 'uploadExpiresAt'
  | 'createdAt'
>

/** Inserts a pending one. Returns undefined when the recording already has one. */
export async function insertProcessed(
  tx: Tx,
  row: NewProcessedRow,
): Promise<ProcessedRecording | undefined> {
  const [inserted] = await tx<ProcessedRow[]>`
    insert into processed_recordings (id, tenant_id, recording_id, source, trim_start_sec,
                                      trim_end_sec, status, upload_key, upload_expires_at,
                                      created_at, updated_at)
    values (${row.id}, ${row.tenantId}, ${row.recordingId}, ${row.source}, ${row.trimStartSec},
            ${row.trimEndSec}, 'pending', ${row.uploadKey}, ${row.uploadExpiresAt},
            ${row.createdAt}, ${row.createdAt})
    on conflict on constraint processed_recordings_one_per_recording do nothing
    returning ${columns(tx)}
  `
  return inserted && toProcessed(inserted)
}

/** The file of an available processed recording. */
export interface ProcessedFile {
  storageKey: string
  sizeBytes: number
  durationSec: number | null
}

export interface StatusChange {
  from: ProcessedStatus
  to: ProcessedStatus
  file: ProcessedFile | null
  failureReason: string | null
  at: Date
}

/** Returns the row after the change. Returns undefined when it is in another state or does not exist. */
export async function updateStatus(
  tx: Tx,
  id: string,
  { from, to, file, failureReason, at }: StatusChange,
): Promise<ProcessedRecording | undefined> {
  const [row] = await tx<ProcessedRow[]>`
    update processed_recordings
       set status         = ${to},
           version        = version + 1,
           storage_key    = ${file?.storageKey ?? null},
           size_bytes     = ${file?.sizeBytes ?? null},
           duration_sec   = ${file?.durationSec ?? null},
           failure_reason = ${failureReason},
           updated_at     = ${at}
     where id = ${id}
       and status = ${from}
    returning ${columns(tx)}
  `
  return row && toProcessed(row)
}

/** Records another attempt of a trim. Returns its number. */
export async function insertAttempt(tx: Tx, id: string, at: Date): Promise<number> {
  const [row] = await tx<{ attempt: number }[]>`
    update processed_recordings
       set attempt      = attempt + 1,
           attempted_at = ${at}
     where id = ${id}
    returning attempt
  `
  if (row === undefined) throw new Error('the processed recording is not held')
  return row.attempt
}

/** True while this is the latest attempt and the trim is unfinished. */
export async function isAttemptOpen(
  query: Query,
  { id, attempt }: { id: string; attempt: number },
): Promise<boolean> {
  const rows = await query`
    select 1
      from processed_recordings
     where id = ${id}
       and status = 'processing'
       and attempt = ${attempt}
  `
  return rows.length === 1
}

export async function deleteProcessedRow(tx: Tx, id: string): Promise<void> {
  await tx`delete from processed_recordings where id = ${id}`
}

export async function deleteProcessedRowOf(tx: Tx, recordingId: string): Promise<void> {
  await tx`delete from processed_recordings where recording_id = ${recordingId}`
}

/** The pending and processing ones by id. */
export async function listUnfinished(
  query: Query,
  { after, limit }: { after: string; limit: number },
): Promise<ProcessedRecording[]> {
  const rows = await query<ProcessedRow[]>`
    select ${columns(query)}
      from processed_recordings
     where status in ('pending', 'processing')
       and id > ${after}
     order by id
     limit ${limit}
  `
  return rows.map(toProcessed)
}

/** The recording's output mode, which its processed file shares. */
export async function findOutputMode(query: Query, recordingId: string): Promise<OutputMode> {
  const [row] = await query<{ outputMode: OutputMode }[]>`
    select output_mode as "outputMode" from recordings where id = ${recordingId}
  `
  return row?.outputMode ?? 'composed'
}
