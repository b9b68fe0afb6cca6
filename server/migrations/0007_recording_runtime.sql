-- Recordings as they run -------------------------------------------------------------------------

alter table recordings
  -- Null until the provider has answered: such a recording is an intention, which nobody sees.
  alter column provider_archive_id drop not null,
  add column is_automatic boolean not null default false,
  -- Why it ended; null while it runs.
  add column stop_reason text,
  add column stopped_at  timestamptz,
  add constraint recordings_stop_reason_is_known
    check (stop_reason in ('moderator', 'everybody_left', 'room_closed', 'window_ended', 'provider')),
  add constraint recordings_seen_ones_are_known_to_the_provider
    check (provider_archive_id is not null or status = 'started');

-- Part B: one of two outputs. The parts of a recording in time, and of an individual one by person:
-- each is one egress of the provider. Those without a recording were given up: they are ended, and
-- what they wrote is deleted.
create table recording_segments (
  id             uuid primary key,
  room_id        uuid not null references rooms (id),
  recording_id   uuid references recordings (id) on delete set null,
  -- How often the recording had been resumed before.
  position       integer not null,
  -- Whom, of an individual recording.
  media_identity text,
  participant_id uuid references participants (id),
  role           text,
  display_name   text,
  -- 2 when the first egress ended before it began.
  attempt        integer not null default 1,
  egress_id      text,
  status         text not null default 'requested',
  -- Since when it has been in this status: what its deadlines are counted from.
  status_at      timestamptz not null,
  -- When the provider was last asked to start it: nobody else asks for a while.
  asked_at       timestamptz,
  -- It shall end; the provider is told until it has.
  ends_asked_at  timestamptz,
  storage_key    text not null,
  started_at     timestamptz,
  ended_at       timestamptz,
  size_bytes     bigint,
  duration_sec   double precision,
  failure_reason text,
  created_at     timestamptz not null,
  constraint recording_segments_egress_is_unique unique (egress_id),
  constraint recording_segments_storage_key_is_unique unique (storage_key),
  constraint recording_segments_status_is_known
    check (status in ('requested', 'starting', 'active', 'ending', 'complete', 'failed', 'aborted')),
  constraint recording_segments_complete_ones_have_a_size
    check (status <> 'complete' or (size_bytes is not null and duration_sec is not null)),
  constraint recording_segments_failed_ones_say_why
    check (status not in ('failed', 'aborted') or failure_reason is not null)
);
create index recording_segments_by_recording on recording_segments (recording_id, position);
create index recording_segments_unfinished on recording_segments (room_id)
  where status not in ('complete', 'failed', 'aborted') or recording_id is null;
