-- What viewers say of a recording, in the order of its room's clock.
create table recording_comments (
  id uuid primary key,
  tenant_id uuid not null references tenants (id),
  recording_id uuid not null references recordings (id) on delete cascade,
  seq bigint not null,
  viewer_reference text not null check (char_length(viewer_reference) between 1 and 64),
  viewer_name text not null check (char_length(viewer_name) between 1 and 255),
  offset_sec double precision check (offset_sec >= 0),
  text text not null check (char_length(text) between 1 and 2000),
  created_at timestamptz not null,
  unique (recording_id, seq)
);

-- Tokens that tenants signed for viewers and have taken back.
create table revoked_viewer_tokens (
  tenant_id uuid not null references tenants (id),
  jti text not null check (char_length(jti) between 1 and 128),
  revoked_at timestamptz not null,
  primary key (tenant_id, jti)
);
create index revoked_viewer_tokens_by_time on revoked_viewer_tokens (revoked_at);
