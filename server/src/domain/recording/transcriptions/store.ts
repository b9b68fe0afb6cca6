import type { TranscriptionAttempt } from '@interview-room/contract/recordings.ts'
import type {
  OutputMode,
  TranscriptionEngine,
  TranscriptionStatus,
} from '@interview-room/contract/vocabulary.ts'
import { json, type Query, type Tx } from '../../../platform/db/db.ts'
import { isPostponed } from '../../../platform/jobs/due-items-job.ts'
import type { PageRequest } from '../../../platform/ports/paging.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import { listVoices, type PersonVoice } from '../recordings/voice-store.ts'
import type { Transcription } from './transcription.ts'

export interface TranscriptionKey {
  tenantId: string
  transcriptionId: string
}

function columns(query: Query) {
  return query`
    id, tenant_id as "tenantId", recording_id as "recordingId", room_id as "roomId", seq, provider,
    provider_transcription_id as "providerTranscriptionId", status, language, kind,
    result_key as "resultKey", failures, sent_sec as "sentSec", failure_reason as "failureReason",
    next_engines as "nextEngines", failed_attempts as "failedAttempts", created_at as "createdAt", updated_at as "updatedAt"
  `
}

export async function findTranscription(
  query: Query,
  { tenantId, transcriptionId }: TranscriptionKey,
): Promise<Transcription | undefined> {
  const [row] = await query<Transcription[]>`
    select ${columns(query)}
      from transcriptions
     where id = ${transcriptionId}
       and tenant_id = ${tenantId}
  `
  return row
}

/** `share` keeps the recording from being deleted until the transaction ends. */
export async function hasRecording(
  query: Query,
  { tenantId, recordingId }: RecordingKey,
  mode?: 'share',
): Promise<boolean> {
  const rows = await query`
    select 1
      from recordings
     where id = ${recordingId}
       and tenant_id = ${tenantId}
       ${mode === undefined ? query`` : query`for share`}
  `
  return rows.length === 1
}

export async function listTranscriptions(
  query: Query,
  { recordingId, after, limit }: PageRequest & { recordingId: string },
): Promise<Transcription[]> {
  return query<Transcription[]>`
    select ${columns(query)}
      from transcriptions
     where recording_id = ${recordingId}
       and seq > ${after ?? '0'}::bigint
     order by seq
     limit ${limit + 1}
  `
}

/** The newest transcription of a recording that is done. */
export async function findNewestDone(
  query: Query,
  recordingId: string,
): Promise<{ resultKey: string } | undefined> {
  const [row] = await query<{ resultKey: string }[]>`
    select result_key as "resultKey"
      from transcriptions
     where recording_id = ${recordingId} and status = 'done'
     order by seq desc
     limit 1
  `
  return row
}

interface Defaults {
  language: string
  provider: TranscriptionEngine
  failover: TranscriptionEngine[]
}

/** The room's current defaults for transcriptions. */
export async function findDefaults(query: Query, roomId: string): Promise<Defaults | undefined> {
  const [row] = await query<Defaults[]>`
    select r.transcription_language as language, r.transcription_service as provider,
           coalesce(r.transcription_failover, t.transcription_failover) as failover
      from rooms r
      join tenants t on t.id = r.tenant_id
     where r.id = ${roomId}
  `
  return row
}

export type NewTranscriptionRow = Omit<
  Transcription,
  | 'providerTranscriptionId'
  | 'status'
  | 'resultKey'
  | 'failures'
  | 'sentSec'
  | 'failureReason'
  | 'failedAttempts'
  | 'updatedAt'
>

/** Returns undefined when the same recording, language and kind is already being transcribed. */
export async function insertTranscription(
  tx: Tx,
  row: NewTranscriptionRow,
): Promise<Transcription | undefined> {
  const [inserted] = await tx<Transcription[]>`
    insert into transcriptions (id, tenant_id, recording_id, room_id, seq, provider, status,
                                language, kind, next_engines, created_at, updated_at)
    values (${row.id}, ${row.tenantId}, ${row.recordingId}, ${row.roomId}, ${row.seq},
            ${row.provider}, 'sending_request', ${row.language}, ${row.kind}, ${row.nextEngines},
            ${row.createdAt}, ${row.createdAt})
    on conflict (recording_id, language, kind)
       where status in ('sending_request', 'processing', 'retrying') do nothing
    returning ${columns(tx)}
  `
  return inserted
}

export interface StatusChange {
  from: TranscriptionStatus
  to: TranscriptionStatus
  resultKey: string | null
  failureReason: string | null
  at: Date
}

/** Returns false when it is in another state or was deleted. */
export async function updateStatus(
  tx: Tx,
  id: string,
  { from, to, resultKey, failureReason, at }: StatusChange,
): Promise<boolean> {
  const { count } = await tx`
    update transcriptions
       set status = ${to}, result_key = ${resultKey}, failure_reason = ${failureReason},
           failures = case when status = 'sending_request' then 0 else failures end,
           updated_at = ${at}
     where id = ${id}
       and status = ${from}
  `
  return count === 1
}

/**
 * Transcriptions that have been running since before this moment, oldest first. Leaves out those that wait for a retry by a
 * job.
 */
export async function listRunningSince(
  query: Query,
  { retriedBy, before, limit }: { retriedBy: string; before: Date; limit: number },
): Promise<(RecordingKey & TranscriptionKey)[]> {
  return query<(RecordingKey & TranscriptionKey)[]>`
    select id as "transcriptionId", tenant_id as "tenantId", recording_id as "recordingId"
      from transcriptions
     where status in ('sending_request', 'processing', 'retrying')
       and created_at <= ${before}
       and not ${isPostponed(query, { kind: retriedBy, key: query`transcriptions.id::text` })}
     order by created_at
     limit ${limit}
  `
}

/** The sound of a recording, as it is stored. */
export interface Source {
  key: string
  outputMode: OutputMode
  durationSec: number
  /** The files with the sound of one person each, in the time of the file. A recording may have none. */
  voices: readonly PersonVoice[]
}

/** The recording's file. Returns undefined when it no longer exists. */
export async function findSource(
  query: Query,
  { tenantId, recordingId }: RecordingKey,
): Promise<Source | undefined> {
  const [row] = await query<Omit<Source, 'voices'>[]>`
    select storage_key as key, output_mode as "outputMode", duration_sec as "durationSec"
      from recordings
     where id = ${recordingId}
       and tenant_id = ${tenantId}
       and status = 'available'
  `
  return row && { ...row, voices: await listVoices(query, recordingId) }
}

/** Gives a running transcription to the next engine, as if it had never had another one. */
export async function changeEngine(
  tx: Tx,
  id: string,
  change: { attempt: TranscriptionAttempt; to: TranscriptionEngine; left: TranscriptionEngine[] },
): Promise<void> {
  await tx`
    update transcriptions
       set provider = ${change.to}, provider_transcription_id = null, failures = 0,
           next_engines = ${change.left},
           failed_attempts = failed_attempts || ${json([change.attempt])}::jsonb,
           status = case when status = 'processing' then 'retrying' else status end,
           updated_at = ${change.attempt.ended_at}
     where id = ${id}
  `
}

export async function setFailures(tx: Tx, id: string, failures: number): Promise<void> {
  await tx`update transcriptions set failures = ${failures} where id = ${id}`
}

/** Keeps the first id, because the engine's own pages show that one. */
export async function setProviderId(tx: Tx, id: string, providerId: string): Promise<void> {
  await tx`
    update transcriptions
       set provider_transcription_id = coalesce(provider_transcription_id, ${providerId})
     where id = ${id}
  `
}

/** Serves another file as the result. `updated_at` stays: it is the end of the last engine's attempt. */
export async function setResult(tx: Tx, id: string, resultKey: string): Promise<void> {
  await tx`update transcriptions set result_key = ${resultKey} where id = ${id}`
}

export async function listUnfinishedOf(
  query: Query,
  recordingId: string,
): Promise<Pick<Transcription, 'id' | 'roomId' | 'provider' | 'language' | 'kind'>[]> {
  return query<Pick<Transcription, 'id' | 'roomId' | 'provider' | 'language' | 'kind'>[]>`
    select id, room_id as "roomId", provider, language, kind
      from transcriptions
     where recording_id = ${recordingId}
       and status in ('sending_request', 'processing', 'retrying')
  `
}

export async function isForConversation(query: Query, roomId: string): Promise<boolean> {
  const rows = await query`select 1 from rooms where id = ${roomId} and kind = 'interview'`
  return rows.length === 1
}

export async function deleteRowsOf(tx: Tx, recordingId: string): Promise<void> {
  await tx`delete from transcriptions where recording_id = ${recordingId}`
}
