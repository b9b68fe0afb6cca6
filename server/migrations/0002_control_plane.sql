-- Idempotency ------------------------------------------------------------------------------------

-- First answers of requests with an Idempotency-Key. Local operations write theirs in the
-- transaction of the effect; those that call the provider in between hold a lease meanwhile.
create table idempotency_keys (
  tenant_id   uuid not null references tenants (id),
  key         text not null,
  fingerprint bytea not null,
  lease_until timestamptz,
  lease_token uuid,
  status      integer,
  headers     jsonb,
  body        text,
  created_at  timestamptz not null default clock_timestamp(),
  done_at     timestamptz,
  primary key (tenant_id, key),
  constraint idempotency_keys_are_held_or_done
    check ((done_at is not null and status is not null) or lease_token is not null)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Chat -------------------------------------------------------------------------------------------

create table chat_messages (
  room_id         uuid not null references rooms (id),
  -- Given by the sending client: the key of an absorbed repeat.
  id              uuid not null,
  tenant_id       uuid not null references tenants (id),
  seq             bigint not null,
  visibility      text not null,
  participant_id  uuid references participants (id),
  sender_name     text not null,
  content_type    text not null,
  text            text,
  attachment_key  text,
  attachment_name text,
  attachment_mime text,
  attachment_size bigint,
  created_at      timestamptz not null,
  primary key (room_id, id),
  constraint chat_messages_seq_is_unique unique (room_id, seq),
  constraint chat_messages_visibility_is_known
    check (visibility in ('public', 'private', 'observer_only')),
  constraint chat_messages_content_type_is_known
    check (content_type in ('text', 'stamp', 'archive_status', 'file')),
  constraint chat_messages_files_have_an_attachment
    check (num_nonnulls(attachment_key, attachment_name, attachment_mime, attachment_size)
           = case content_type when 'file' then 4 else 0 end),
  constraint chat_messages_others_have_a_text check (content_type = 'file' or text is not null)
);
create index chat_messages_by_visibility on chat_messages (room_id, visibility, seq);

-- A purged message stays purged when its sender repeats it.
create table chat_tombstones (
  room_id   uuid not null references rooms (id),
  id        uuid not null,
  purged_at timestamptz not null default clock_timestamp(),
  primary key (room_id, id)
);
create index chat_tombstones_by_age on chat_tombstones (purged_at);

-- Recordings -------------------------------------------------------------------------------------

create table recordings (
  id                  uuid primary key,
  tenant_id           uuid not null references tenants (id),
  room_id             uuid not null references rooms (id),
  seq                 bigint not null,
  provider_archive_id text not null,
  status              text not null,
  -- Raised by every change of the status; names the change in W3.
  version             integer not null default 1,
  output_mode         text not null,
  storage_key         text,
  size_bytes          bigint,
  duration_sec        double precision,
  failure_reason      text,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  constraint recordings_seq_is_unique unique (room_id, seq),
  constraint recordings_status_is_known
    check (status in ('started', 'paused', 'stopped', 'uploaded', 'available', 'expired', 'failed')),
  constraint recordings_output_mode_is_known check (output_mode in ('composed', 'individual')),
  constraint recordings_running_ones_have_no_size_yet
    check (status not in ('started', 'paused') or (size_bytes is null and duration_sec is null)),
  constraint recordings_uploaded_ones_have_their_size
    check (status not in ('uploaded', 'available', 'expired')
           or (size_bytes is not null and duration_sec is not null)),
  constraint recordings_available_ones_have_a_file
    check (status <> 'available' or storage_key is not null)
);
create unique index recordings_one_running on recordings (room_id)
  where status in ('started', 'paused');
create index recordings_available on recordings (updated_at) where status = 'available';

-- What was deleted, when and for whom. Never removed: a repeated delete of one's own is no error.
create table recording_deletions (
  recording_id uuid primary key,
  tenant_id    uuid not null references tenants (id),
  room_id      uuid not null references rooms (id),
  deleted_at   timestamptz not null
);

-- One row per issued download URL.
create table download_accesses (
  id           bigint generated always as identity primary key,
  tenant_id    uuid not null references tenants (id),
  recording_id uuid not null,
  -- Set when the processed file was asked for.
  processed_recording_id uuid,
  issued_at    timestamptz not null,
  expires_at   timestamptz not null
);
create index download_accesses_by_recording on download_accesses (recording_id, issued_at);

create table processed_recordings (
  id                uuid primary key,
  tenant_id         uuid not null references tenants (id),
  recording_id      uuid not null references recordings (id) on delete cascade,
  source            text not null,
  trim_start_sec    double precision,
  trim_end_sec      double precision,
  status            text not null,
  version           integer not null default 1,
  -- Where the tenant puts an upload; nobody can write to storage_key.
  upload_key        text,
  upload_expires_at timestamptz,
  storage_key       text,
  size_bytes        bigint,
  duration_sec      double precision,
  failure_reason    text,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  constraint processed_recordings_one_per_recording unique (recording_id),
  constraint processed_recordings_source_is_known check (source in ('trim', 'upload')),
  constraint processed_recordings_status_is_known
    check (status in ('pending', 'processing', 'available', 'failed')),
  constraint processed_recordings_trims_have_a_range
    check ((source = 'trim') = (trim_start_sec is not null and trim_end_sec is not null)),
  constraint processed_recordings_uploads_have_a_place
    check ((source = 'upload') = (upload_key is not null and upload_expires_at is not null)),
  constraint processed_recordings_available_ones_have_a_file
    check (status <> 'available' or (storage_key is not null and size_bytes is not null))
);
create index processed_recordings_unfinished on processed_recordings (id)
  where status in ('pending', 'processing');

create table transcriptions (
  id                        uuid primary key,
  tenant_id                 uuid not null references tenants (id),
  recording_id              uuid not null references recordings (id) on delete cascade,
  room_id                   uuid not null references rooms (id),
  seq                       bigint not null,
  provider                  text not null,
  provider_transcription_id text,
  status                    text not null,
  language                  text not null,
  kind                      text not null,
  result_key                text,
  failure_reason            text,
  created_at                timestamptz not null,
  updated_at                timestamptz not null,
  constraint transcriptions_seq_is_unique unique (recording_id, seq),
  constraint transcriptions_provider_is_known
    check (provider in ('engine_a', 'engine_b', 'engine_c', 'engine_d', 'engine_e')),
  constraint transcriptions_status_is_known
    check (status in ('sending_request', 'processing', 'retrying', 'done', 'error', 'request_error')),
  constraint transcriptions_kind_is_known check (kind in ('transcription', 'translation')),
  constraint transcriptions_done_ones_have_a_result check (status <> 'done' or result_key is not null)
);
create unique index transcriptions_one_running on transcriptions (recording_id, language, kind)
  where status in ('sending_request', 'processing', 'retrying');
create index transcriptions_running on transcriptions (created_at)
  where status in ('sending_request', 'processing', 'retrying');

-- Handouts ---------------------------------------------------------------------------------------

create table handouts (
  id            uuid primary key,
  tenant_id     uuid not null references tenants (id),
  session_id    uuid not null references sessions (id),
  room_id       uuid not null references rooms (id),
  seq           bigint not null,
  external_type text,
  external_id   text,
  file_name     text not null,
  content_type  text not null,
  mime          text not null,
  storage_key   text not null,
  size_bytes    bigint not null,
  sort          integer not null,
  created_at    timestamptz not null,
  constraint handouts_external_ref_is_a_pair
    check ((external_type is null) = (external_id is null)),
  constraint handouts_external_ref_is_unique unique (session_id, external_type, external_id),
  constraint handouts_content_type_is_known check (content_type in ('image', 'video')),
  constraint handouts_sort_is_not_negative check (sort >= 0)
);
create index handouts_in_order on handouts (session_id, sort, seq);

-- A repeated delete of one's own is no error. Never removed.
create table handout_deletions (
  handout_id uuid primary key,
  tenant_id  uuid not null references tenants (id),
  deleted_at timestamptz not null
);

-- Connection tests -------------------------------------------------------------------------------

create table connection_tests (
  id              uuid primary key,
  tenant_id       uuid not null references tenants (id),
  room_id         uuid not null references rooms (id) on delete cascade,
  external_type   text,
  external_id     text,
  name            text,
  locale          text,
  has_recording   boolean not null,
  -- Opens the test page, as often as it is asked for; worth nothing when the test has ended.
  ticket          text not null,
  status          text not null default 'pending',
  expires_at      timestamptz not null,
  -- Last sign of life of the person under test.
  seen_at         timestamptz,
  started_at      timestamptz,
  completed_at    timestamptz,
  measured_sec    double precision,
  client          jsonb,
  devices         jsonb,
  baseline        jsonb,
  load            jsonb,
  summary         jsonb,
  failure_reason  text,
  created_at      timestamptz not null,
  constraint connection_tests_one_per_room unique (room_id),
  constraint connection_tests_external_ref_is_a_pair
    check ((external_type is null) = (external_id is null)),
  constraint connection_tests_status_is_known
    check (status in ('pending', 'running', 'completed', 'failed', 'expired')),
  constraint connection_tests_running_ones_were_started
    check (status <> 'running' or (started_at is not null and seen_at is not null)),
  constraint connection_tests_completed_ones_have_a_result
    check (status <> 'completed' or (completed_at is not null and measured_sec >= 15
                                     and baseline is not null and load is not null
                                     and summary is not null)),
  constraint connection_tests_failed_ones_have_a_reason
    check ((status = 'failed') = (failure_reason is not null))
);
create index connection_tests_by_time on connection_tests (tenant_id, created_at desc, id desc);
create index connection_tests_by_external_ref
  on connection_tests (tenant_id, external_type, external_id, created_at desc, id desc);
create index connection_tests_unfinished on connection_tests (expires_at)
  where status in ('pending', 'running');
