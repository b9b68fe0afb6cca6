-- Ranges of recordings as files of their own, in the order of the room's clock.
create table clips (
  id uuid primary key,
  tenant_id uuid not null references tenants (id),
  recording_id uuid not null references recordings (id) on delete cascade,
  seq bigint not null,
  title text check (char_length(title) between 1 and 200),
  start_sec double precision not null check (start_sec >= 0),
  end_sec double precision not null,
  -- Who made it; nobody where it was made with an API key.
  viewer_reference text check (char_length(viewer_reference) between 1 and 64),
  viewer_name text check (char_length(viewer_name) between 1 and 255),
  status text not null check (status in ('pending', 'available', 'failed')),
  attempt integer not null default 0,
  attempted_at timestamptz,
  storage_key text,
  size_bytes bigint,
  duration_sec double precision,
  failure_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint clips_seq_is_unique unique (recording_id, seq),
  constraint clips_have_a_range check (start_sec < end_sec),
  constraint clips_viewers_have_a_name check ((viewer_reference is null) = (viewer_name is null)),
  constraint clips_available_ones_have_a_file check (
    (status = 'available') = (storage_key is not null)
    and (storage_key is null) = (size_bytes is null)
    and (storage_key is null) = (duration_sec is null)
  ),
  constraint clips_failed_ones_have_a_reason check ((status = 'failed') = (failure_reason is not null))
);
create index clips_unfinished on clips (id) where status = 'pending';
create index clips_by_storage_key on clips (storage_key) where storage_key is not null;
create index clips_by_tenant on clips (tenant_id) include (size_bytes);

-- A repeated DELETE is no error.
create table clip_deletions (
  clip_id uuid primary key,
  tenant_id uuid not null references tenants (id),
  recording_id uuid not null references recordings (id) on delete cascade,
  deleted_at timestamptz not null
);
create index clip_deletions_by_recording on clip_deletions (recording_id);

alter table download_accesses add column clip_id uuid;
