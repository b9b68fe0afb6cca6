import type { Db } from '../platform/db/db.ts'

interface FillPlan {
  tenantId: string
  /** Rows of each table. */
  count: number
  /** How long ago their youngest was written. */
  age: string
}

/**
 * Fills every table that keeps history with rows in their final state: rooms closed and slots past, notifications applied,
 * deliveries made, jobs given up. Returns the names of these tables.
 */
export async function fillTables(db: Db, filling: FillPlan): Promise<string[]> {
  const { count } = filling
  const n = db`generate_series(1, ${count}::int) n`
  await db`
    create temporary table filled on commit preserve rows as
    select n, gen_random_uuid() as id, gen_random_uuid() as other from ${n}
  `
  await fillRooms(db, filling)
  await fillPeople(db, filling)
  await fillTranscripts(db, filling)
  await fillLogs(db, filling)
  await fillRecordings(db, filling)
  await db`drop table filled`
  await db`analyze`
  return FILLED
}

const FILLED = [
  'rooms',
  'room_clocks',
  'sessions',
  'connection_tests',
  'participants',
  'admissions',
  'entry_histories',
  'room_events',
  'chat_messages',
  'chat_tombstones',
  'chat_attachments',
  'live_events',
  'live_texts',
  'recordings',
  'recording_segments',
  'recording_deletions',
  'handout_deletions',
  'download_accesses',
  'processed_recordings',
  'clips',
  'clip_deletions',
  'transcriptions',
  'recording_voices',
  'transcription_parts',
  'transcription_revisions',
  'transcript_lines',
  'handouts',
  'provider_notifications',
  'jobs',
  'webhook_events',
  'webhook_deliveries',
  'webhook_attempts',
  'idempotency_keys',
  'board_links',
  'retention_notices',
]

async function fillRooms(db: Db, { tenantId, age }: FillPlan): Promise<void> {
  const at = db`clock_timestamp() - ${age}::interval`
  await db`
    insert into rooms (id, tenant_id, kind, archive_mode, archive_resolution, stream_resolution,
                       stream_frame_rate, transcription_language, transcription_service,
                       media_room_sid, created_at, closed_at)
    select id, ${tenantId}, case when n % 2 = 0 then 'interview' else 'connection_test' end, 'always',
           '640x480', '320x240', 15, 'ja-JP', 'engine_c', 'RM', ${at},
           -- Many stay open for ever.
           case when n % 2 = 1 then ${at} end
      from filled
  `
  await db`insert into room_clocks (room_id, seq) select id, 2 from filled`
  await db`
    insert into retention_rules (tenant_id, kind, days, updated_at)
    select ${tenantId}, kind, 90, ${at} from unnest(array['recordings', 'chat', 'handouts']) kind
        on conflict do nothing
  `
  // Notices a month before the deletion, so that those of young rooms are not due.
  await db`
    insert into retention_notices (room_id, kind, tenant_id, noticed_at, delete_at)
    select id, (array['recordings', 'chat', 'handouts'])[n % 3 + 1], ${tenantId}, ${at},
           ${at} + interval '30 days'
      from filled
  `
  await db`
    insert into sessions (id, tenant_id, room_id, external_type, external_id, access_token,
                          starts_at, ends_at)
    select id, ${tenantId}, id, 'application', id, 'x',
           ${at} - interval '3 hours' - make_interval(mins => n::int),
           ${at} - interval '2 hours' - make_interval(mins => n::int)
      from filled where n % 2 = 0
  `
  await db`
    insert into connection_tests (id, tenant_id, room_id, has_recording, ticket, status, expires_at,
                                  failure_reason, created_at)
    select id, ${tenantId}, id, true, 'x', 'failed', ${at}, 'no_device', ${at}
      from filled where n % 2 = 1
  `
  await db`
    insert into participants (id, tenant_id, room_id, seq, role, display_name, anonymous_key,
                              created_at)
    select id, ${tenantId}, id, 1, 'panelist', 'x', id, ${at} from filled
  `
  await db`
    insert into admissions (id, tenant_id, room_id, participant_id, media_identity, role,
                            display_name, admitted_at)
    select id, ${tenantId}, id, id, id, 'panelist', 'x', ${at} from filled
  `
  await db`update participants set admission_id = id`
  await db`
    insert into entry_histories (tenant_id, room_id, seq, media_identity, media_sid, name, role,
                                 entered_at, left_at)
    select ${tenantId}, id, 1, id, 'PA', 'x', 'panelist', ${at}, ${at} + interval '1 second' from filled
  `
  await db`
    insert into room_events (tenant_id, room_id, seq, event_type, created_at)
    select ${tenantId}, id, 1, 'room.closed', ${at} from filled
  `
}

async function fillPeople(db: Db, { tenantId, age }: FillPlan): Promise<void> {
  const at = db`clock_timestamp() - ${age}::interval`
  await db`
    insert into chat_messages (room_id, id, tenant_id, seq, visibility, sender_name, content_type,
                               text, created_at)
    select id, id, ${tenantId}, 1, 'public', 'x', 'text', 'x', ${at} from filled
  `
  await db`
    insert into chat_tombstones (room_id, id, purged_at) select id, id, ${at} from filled
  `
  await db`
    insert into chat_attachments (id, room_id, media_identity, visibility, name, mime, upload_key,
                                  created_at)
    select id, id, id, 'public', 'x', 'image/png', id, ${at} from filled
  `
  await db`
    insert into live_events (room_id, seq, name, roles, admission_id, created_at)
    select id, 1, 'roster', '{panelist}', id, ${at} from filled
  `
  await db`
    insert into recordings (id, tenant_id, room_id, seq, provider_archive_id, status, output_mode,
                            storage_key, size_bytes, duration_sec, failure_reason, created_at,
                            updated_at)
    select id, ${tenantId}, id, 1, 'EG', case n % 3 when 0 then 'expired' when 1 then 'failed'
                                         else 'available' end,
           'composed', id, 1, 1, case when n % 3 = 1 then 'internal' end, ${at}, ${at}
      from filled
  `
  await db`
    insert into recording_segments (id, room_id, recording_id, position, status, status_at,
                                    storage_key, size_bytes, duration_sec, created_at)
    select id, id, id, 0, 'complete', ${at}, id, 1, 1, ${at} from filled
  `
  await db`
    insert into recording_deletions (recording_id, tenant_id, room_id, deleted_at)
    select other, ${tenantId}, id, ${at} from filled
  `
  await db`
    insert into handout_deletions (handout_id, tenant_id, deleted_at)
    select other, ${tenantId}, ${at} from filled
  `
  await db`
    insert into download_accesses (tenant_id, recording_id, issued_at, expires_at)
    select ${tenantId}, id, ${at}, ${at} from filled
  `
}

async function fillTranscripts(db: Db, { tenantId, age }: FillPlan): Promise<void> {
  const at = db`clock_timestamp() - ${age}::interval`
  await db`
    insert into transcriptions (id, tenant_id, recording_id, room_id, seq, provider, status, language,
                                kind, result_key, created_at, updated_at)
    select id, ${tenantId}, id, id, 1, 'engine_c', 'done', 'ja-JP', 'transcription', other, ${at},
           ${at}
      from filled
  `
  await db`
    insert into recording_voices (recording_id, media_identity, storage_key)
    select id, 'person', other from filled
  `
  await db`
    insert into transcription_revisions (transcription_id, revision, words_key, result_key,
                                         author_kind, author_reference, created_at)
    select id, 0, id, other, 'engine', 'engine_c', ${at} from filled
  `
  await db`
    insert into transcript_lines (transcription_id, position, start_sec, end_sec, participant_id,
                                  speaker, role, text)
    select id, 0, 0, 1, id, 'x', 'panelist', 'x' from filled
  `
  await db`
    insert into transcription_parts (transcription_id, number, offset_sec, start_sec, end_sec, seam_sec)
    select id, 0, 0, 0, 1, 0 from filled
  `
}

async function fillLogs(db: Db, { tenantId, age }: FillPlan): Promise<void> {
  const at = db`clock_timestamp() - ${age}::interval`
  await db`
    insert into live_texts (id, room_id, seq, media_identity, segment, language, is_translation, text,
                            is_observable, started_at, ended_at, created_at)
    select id, id, 1, other, other, 'ja-JP', false, 'said', true, ${at}, ${at}, ${at} from filled
  `
  await db`
    insert into processed_recordings (id, tenant_id, recording_id, source, trim_start_sec,
                                      trim_end_sec, status, storage_key, size_bytes, duration_sec,
                                      created_at, updated_at)
    select id, ${tenantId}, id, 'trim', 0, 1, 'available', other, 1, 1, ${at}, ${at} from filled
  `
  await db`
    insert into clips (id, tenant_id, recording_id, seq, start_sec, end_sec, status, storage_key,
                       size_bytes, duration_sec, created_at, updated_at)
    select id, ${tenantId}, id, 1, 0, 1, 'available', other, 1, 1, ${at}, ${at} from filled
  `
  await db`
    insert into clip_deletions (clip_id, tenant_id, recording_id, deleted_at)
    select other, ${tenantId}, id, ${at} from filled
  `
  await db`
    insert into handouts (id, tenant_id, session_id, room_id, seq, file_name, content_type, mime,
                          storage_key, size_bytes, sort, created_at)
    select id, ${tenantId}, id, id, 2, 'x.png', 'image', 'image/png', id, 1, 0, ${at}
      from filled where n % 2 = 0
  `
  await db`
    insert into provider_notifications (id, event, media_room, body, received_at, applied_at)
    select id, 'room_started', id, '{}', ${at}, ${at} from filled
  `
  await db`
    insert into jobs (kind, key, state, due_at, created_at)
    select 'delete-objects', id, 'discarded', ${at}, ${at} from filled
  `
  await db`
    insert into webhook_endpoints (id, tenant_id, url)
    values (${tenantId}, ${tenantId}, 'http://127.0.0.1:1/') on conflict do nothing
  `
  await db`
    insert into webhook_events (id, tenant_id, type, occurred_at, stream_key, dedupe_key, body,
                                created_at)
    select id, ${tenantId}, 'participant.entered', ${at}, id, id, '{}', ${at} from filled
  `
  await db`
    insert into webhook_deliveries (event_id, endpoint_id, stream_key, state, created_at)
    select id, ${tenantId}, id, 'succeeded', ${at} from filled
  `
}

async function fillRecordings(db: Db, { tenantId, age }: FillPlan): Promise<void> {
  const at = db`clock_timestamp() - ${age}::interval`
  await db`
    insert into webhook_attempts (delivery_id, n, kind, started_at, duration_ms, status)
    select d.id, 1, 'scheduled', ${at}, 1, 200
      from webhook_deliveries d
      join filled on filled.id::text = d.event_id
  `
  await db`
    insert into idempotency_keys (tenant_id, key, fingerprint, status, created_at, done_at)
    select ${tenantId}, id, '', 201, ${at}, ${at} from filled
  `
  await db`
    insert into board_links (id, tenant_id, operator, display_name, created_at, expires_at)
    select id, ${tenantId}, 'x', 'x', ${at} - interval '1 hour', ${at} from filled
  `
}
