import { randomUUID } from 'node:crypto'
import type {
  OutputMode,
  ProcessedStatus,
  RecordingStatus,
  TranscriptionStatus,
} from '@interview-room/contract/vocabulary.ts'
import { deleteObjectsJob } from '../platform/storage/delete-objects.job.ts'
import type { ControlPlane } from './control-plane.ts'

interface RecordingOptions {
  status?: RecordingStatus
  outputMode?: OutputMode
  /** Length of a recording that has ended. */
  durationSec?: number
}

/** Adds a recording as the runtime leaves it, with its object if the status has one; returns its id. */
export async function addRecording(
  plane: ControlPlane,
  roomId: string,
  { status = 'available', outputMode = 'composed', durationSec = 60.5 }: RecordingOptions = {},
): Promise<string> {
  const id = randomUUID()
  const { tenantId } = plane.tenant
  const hasEnded = ['uploaded', 'available', 'expired'].includes(status)
  const storageKey = ['uploaded', 'available'].includes(status)
    ? `${tenantId}/recordings/${id}`
    : null
  if (storageKey !== null) putObject(plane, storageKey, 'the recording')
  await plane.database.db`
    with clock as (
      update room_clocks set seq = seq + 1 where room_id = ${roomId} returning seq
    )
    insert into recordings (id, tenant_id, room_id, seq, provider_archive_id, status, output_mode,
                            storage_key, size_bytes, duration_sec, created_at, updated_at)
    select ${id}, ${tenantId}, ${roomId}, seq, ${`EG_${id.slice(0, 8)}`}, ${status}, ${outputMode},
           ${storageKey}, ${hasEnded ? 13 : null}::bigint, ${hasEnded ? durationSec : null},
           ${plane.now}::timestamptz, ${plane.now}::timestamptz
      from clock
  `
  return id
}

/** Adds a room with one recording; returns the ids of both. */
export async function addRecordedRoom(
  plane: ControlPlane,
  recorded: RecordingOptions = {},
): Promise<{ roomId: string; recordingId: string }> {
  const { id: roomId } = await plane.book()
  return { roomId, recordingId: await addRecording(plane, roomId, recorded) }
}

/** Adds a running segment whose recorder has just reported that the camera of a person does not arrive; returns its id. */
export async function addLackingSegment(plane: ControlPlane, roomId: string): Promise<string> {
  const id = randomUUID()
  await plane.database.db`
    insert into recording_segments (id, room_id, position, attempt, status, status_at, storage_key,
                                    created_at, absences)
    values (${id}, ${roomId}, 0, 1, 'active', clock_timestamp(), ${`segments/${id}.capture`},
            clock_timestamp(),
            jsonb_build_array(jsonb_build_object(
              'mediaIdentity', 'person', 'track', 'camera', 'reason', 'no_media',
              'fromMs', extract(epoch from clock_timestamp()) * 1000 - 6000,
              'toMs', extract(epoch from clock_timestamp()) * 1000)))
  `
  return id
}

/** Ends a started transcription as an engine would. */
export async function endTranscription(
  plane: ControlPlane,
  id: string,
  status: TranscriptionStatus,
): Promise<void> {
  const resultKey = status === 'done' ? `${plane.tenant.tenantId}/transcripts/${id}` : null
  if (resultKey !== null) putObject(plane, resultKey, 'WEBVTT')
  await plane.database.db`
    update transcriptions set status = ${status}, result_key = ${resultKey} where id = ${id}
  `
}

export function putObject({ storage, now }: ControlPlane, key: string, content: string): void {
  const mime = 'application/octet-stream'
  storage.objects.set(key, { body: Buffer.from(content), mime, storedAt: now })
}

/** Runs all requested deletions of objects, even if they are not due yet. */
export async function deleteObjects({ database, deps }: ControlPlane): Promise<void> {
  const jobs = await database.db<{ key: string; payload: Record<string, unknown> }[]>`
    delete from jobs where kind = 'delete-objects' returning key, payload
  `
  const { signal } = new AbortController()
  for (const job of jobs) {
    await deleteObjectsJob(deps).run({ ...job, attempt: 1, signal, log: deps.log })
  }
}

/** The data of the webhooks about a resource, oldest first. */
export async function webhooksOf(
  { database }: ControlPlane,
  streamKey: string,
): Promise<{ type: string; occurred_at: string; data: Record<string, unknown> }[]> {
  const rows = await database.db<{ body: string }[]>`
    select body from webhook_events where stream_key = ${streamKey} order by seq
  `
  return rows.map(({ body }) => JSON.parse(body))
}

/** The parts of a job run other than the job. */
export function jobRun({ deps }: ControlPlane) {
  const { signal } = new AbortController()
  return { key: 'all', payload: {}, attempt: 1, signal, log: deps.log }
}

/** Sets the status of a processed recording, as the trim's worker would. */
export async function setProcessedStatus(
  { database, now }: ControlPlane,
  id: string,
  status: ProcessedStatus,
): Promise<void> {
  const file = status === 'available' ? { key: `made/${id}`, size: 3 } : { key: null, size: null }
  await database.db`
    update processed_recordings
       set status = ${status}, storage_key = ${file.key}, size_bytes = ${file.size},
           updated_at = ${now}
     where id = ${id}
  `
}

/** Makes an ordered clip available, as the worker would; returns the key of its file. */
export async function setClipMade(
  plane: ControlPlane,
  id: string,
  content = 'the clip',
): Promise<string> {
  const key = `${plane.tenant.tenantId}/clips/${id}-1.mp4`
  putObject(plane, key, content)
  await plane.database.db`
    update clips
       set status = 'available', storage_key = ${key}, size_bytes = ${content.length},
           duration_sec = 10.5
     where id = ${id}
  `
  return key
}
