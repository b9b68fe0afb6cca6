-- Tenants and their credentials ------------------------------------------------------------------

create table tenants (
  id         uuid primary key,
  name       text not null,
  created_at timestamptz not null default clock_timestamp()
);

create table api_keys (
  key_id      text primary key,
  tenant_id   uuid not null references tenants (id),
  salt        bytea not null,
  cost        integer not null,
  secret_hash bytea not null,
  note        text,
  created_at  timestamptz not null default clock_timestamp(),
  revoked_at  timestamptz,
  constraint api_keys_cost_is_positive check (cost > 0)
);
create index api_keys_by_tenant on api_keys (tenant_id);

-- Public keys by which a tenant signs participant tokens.
create table token_keys (
  tenant_id     uuid not null references tenants (id),
  kid           text not null,
  alg           text not null,
  public_jwk    jsonb not null,
  status        text not null default 'active',
  allowed_roles text[] not null,
  not_before    timestamptz,
  not_after     timestamptz,
  created_at    timestamptz not null default clock_timestamp(),
  primary key (tenant_id, kid),
  constraint token_keys_alg_is_known check (alg in ('ES256', 'EdDSA', 'RS256')),
  constraint token_keys_status_is_known check (status in ('active', 'retired', 'revoked'))
);

-- The service's own signing keys (room tickets); the private half is encrypted by SECRETS_KEY.
create table service_keys (
  kid                   text primary key,
  public_jwk            jsonb not null,
  private_jwk_encrypted bytea not null,
  created_at            timestamptz not null default clock_timestamp(),
  retired_at            timestamptz
);

-- Rooms and sessions -----------------------------------------------------------------------------

create table rooms (
  id                     uuid primary key,
  tenant_id              uuid not null references tenants (id),
  kind                   text not null,
  archive_mode           text not null,
  archive_resolution     text not null,
  stream_resolution      text not null,
  stream_frame_rate      integer not null,
  transcription_language text not null,
  transcription_service  text not null,
  -- Set once, when the provider has made the media room. A room without it is an intention:
  -- nobody sees it, and a completer undoes it when its creator did not come back.
  media_room_sid         text,
  created_at             timestamptz not null default clock_timestamp(),
  closed_at              timestamptz,
  constraint rooms_kind_is_known check (kind in ('interview', 'connection_test'))
);
create index rooms_by_tenant on rooms (tenant_id, created_at desc);
create index rooms_intended on rooms (created_at) where media_room_sid is null;
create index rooms_open on rooms (id) where closed_at is null and media_room_sid is not null;

-- What orders the logs of a room. Kept beside the room so that additions may share the room's row
-- lock and only queue here, in the last statement before their commit.
create table room_clocks (
  room_id    uuid primary key references rooms (id) on delete cascade,
  seq        bigint not null default 0,
  at         timestamptz not null default '-infinity',
  entered_at timestamptz not null default '-infinity'
);

create table sessions (
  id            uuid primary key,
  tenant_id     uuid not null references tenants (id),
  room_id       uuid not null references rooms (id) on delete cascade,
  external_type text not null,
  external_id   text not null,
  name          text,
  access_token  text not null,
  starts_at     timestamptz not null,
  ends_at       timestamptz not null,
  created_at    timestamptz not null default clock_timestamp(),
  cancelled_at  timestamptz,
  constraint sessions_one_per_room unique (room_id),
  constraint sessions_external_ref_is_unique unique (tenant_id, external_type, external_id),
  constraint sessions_start_before_end check (starts_at < ends_at)
);

-- People -----------------------------------------------------------------------------------------

create table participants (
  id            uuid primary key,
  tenant_id     uuid not null references tenants (id),
  room_id       uuid not null references rooms (id),
  seq           bigint not null,
  role          text not null,
  display_name  text not null,
  external_type text,
  external_id   text,
  platform_user text,
  -- Identity of an anonymous signed token: its jti, or a digest of the token when it has none.
  anonymous_key text,
  created_at    timestamptz not null,
  banned_at     timestamptz,
  constraint participants_role_is_known
    check (role in ('moderator', 'observer', 'panelist', 'platform_observer')),
  constraint participants_external_ref_is_a_pair
    check ((external_type is null) = (external_id is null)),
  constraint participants_have_one_identity
    check (num_nonnulls(external_id, platform_user, anonymous_key) = 1),
  constraint participants_external_ref_is_unique unique (room_id, external_type, external_id),
  constraint participants_platform_user_is_unique unique (room_id, platform_user),
  constraint participants_anonymous_key_is_unique unique (room_id, anonymous_key),
  constraint participants_seq_is_unique unique (room_id, seq)
);

-- One row per passed gate: who may appear in the media room, from where and with which device.
create table admissions (
  id               uuid primary key,
  tenant_id        uuid not null references tenants (id),
  room_id          uuid not null references rooms (id),
  participant_id   uuid references participants (id),
  -- The provider's handle: the participant's id, or this admission's id on the simple route.
  media_identity   text not null,
  role             text not null,
  display_name     text not null,
  jti              text,
  browser_name     text,
  browser_version  text,
  platform_name    text,
  platform_version text,
  ip_address       text,
  admitted_at      timestamptz not null default clock_timestamp()
);
create index admissions_by_media_identity on admissions (room_id, media_identity, admitted_at desc);

create table entry_histories (
  id               bigint generated always as identity primary key,
  tenant_id        uuid not null references tenants (id),
  room_id          uuid not null references rooms (id),
  seq              bigint not null,
  participant_id   uuid references participants (id),
  media_identity   text not null,
  media_sid        text not null,
  name             text not null,
  role             text not null,
  browser_name     text,
  browser_version  text,
  platform_name    text,
  platform_version text,
  ip_address       text,
  entered_at       timestamptz not null,
  left_at          timestamptz,
  -- When the reconciler first missed this connection at the provider; twice in a row closes the row.
  missed_at        timestamptz,
  constraint entry_histories_one_per_connection unique (room_id, media_sid),
  constraint entry_histories_seq_is_unique unique (room_id, seq),
  constraint entry_histories_left_after_entered check (left_at >= entered_at)
);
create index entry_histories_open on entry_histories (room_id) where left_at is null;

create table room_events (
  id         bigint generated always as identity primary key,
  tenant_id  uuid not null references tenants (id),
  room_id    uuid not null references rooms (id),
  seq        bigint not null,
  event_type text not null,
  payload    jsonb,
  created_at timestamptz not null,
  constraint room_events_seq_is_unique unique (room_id, seq)
);
create index room_events_by_type on room_events (room_id, event_type, seq);

-- Media provider's notifications -----------------------------------------------------------------

create table provider_notifications (
  id          text primary key,
  event       text not null,
  media_room  text,
  body        text not null,
  received_at timestamptz not null default clock_timestamp(),
  applied_at  timestamptz
);
create index provider_notifications_to_apply
  on provider_notifications (media_room, received_at) where applied_at is null;
create index provider_notifications_by_age on provider_notifications (received_at);

-- Jobs -------------------------------------------------------------------------------------------

create table jobs (
  id          bigint generated always as identity primary key,
  kind        text not null,
  -- At most one row per (kind, key); asking again while it waits or runs only raises `requested`.
  key         text not null,
  payload     jsonb not null default '{}',
  requested   bigint not null default 1,
  state       text not null default 'due',
  due_at      timestamptz not null default clock_timestamp(),
  attempt     integer not null default 0,
  lease_until timestamptz,
  lease_token uuid,
  last_error  text,
  created_at  timestamptz not null default clock_timestamp(),
  constraint jobs_one_per_key unique (kind, key),
  constraint jobs_state_is_known check (state in ('due', 'discarded'))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index jobs_due on jobs (due_at) where state = 'due';

-- Webhooks ---------------------------------------------------------------------------------------

create table webhook_endpoints (
  id                   uuid primary key,
  tenant_id            uuid not null references tenants (id),
  url                  text not null,
  -- active: deliveries go out; gone: the receiver answered 410; disabled: by the operator.
  state                text not null default 'active',
  consecutive_failures integer not null default 0,
  -- Open breaker: nothing is sent before next_probe_at, then one delivery probes.
  next_probe_at        timestamptz,
  probe_step           integer not null default 0,
  created_at           timestamptz not null default clock_timestamp(),
  updated_at           timestamptz not null default clock_timestamp(),
  constraint webhook_endpoints_one_per_tenant unique (tenant_id),
  constraint webhook_endpoints_state_is_known check (state in ('active', 'gone', 'disabled'))
);

create table webhook_secrets (
  id               uuid primary key,
  endpoint_id      uuid not null references webhook_endpoints (id) on delete cascade,
  secret_encrypted bytea not null,
  created_at       timestamptz not null default clock_timestamp(),
  expires_at       timestamptz
);
create index webhook_secrets_by_endpoint on webhook_secrets (endpoint_id);

create table webhook_events (
  id          text primary key,
  tenant_id   uuid not null references tenants (id),
  type        text not null,
  occurred_at timestamptz not null,
  -- The resource whose events keep their order.
  stream_key  text not null,
  -- The transition that is told; a second telling of it is refused here.
  dedupe_key  text not null,
  body        text not null,
  seq         bigint generated always as identity,
  created_at  timestamptz not null default clock_timestamp(),
  constraint webhook_events_one_per_transition unique (tenant_id, dedupe_key)
);
create index webhook_events_by_time on webhook_events (tenant_id, occurred_at);

create table webhook_deliveries (
  id               bigint generated always as identity primary key,
  event_id         text not null references webhook_events (id) on delete cascade,
  endpoint_id      uuid not null references webhook_endpoints (id) on delete cascade,
  stream_key       text not null,
  state            text not null default 'pending',
  attempt          integer not null default 0,
  due_at           timestamptz not null default clock_timestamp(),
  lease_until      timestamptz,
  lease_token      uuid,
  last_status      integer,
  last_error       text,
  created_at       timestamptz not null default clock_timestamp(),
  finished_at      timestamptz,
  constraint webhook_deliveries_one_per_endpoint unique (event_id, endpoint_id),
  constraint webhook_deliveries_state_is_known
    check (state in ('pending', 'succeeded', 'failed', 'cancelled'))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index webhook_deliveries_due on webhook_deliveries (due_at) where state = 'pending';
create index webhook_deliveries_order
  on webhook_deliveries (endpoint_id, stream_key, id) where state = 'pending';

create table webhook_attempts (
  delivery_id bigint not null references webhook_deliveries (id) on delete cascade,
  n           integer not null,
  kind        text not null,
  started_at  timestamptz not null,
  duration_ms integer not null,
  status      integer,
  error_class text,
  primary key (delivery_id, n),
  constraint webhook_attempts_kind_is_known check (kind in ('scheduled', 'probe', 'manual'))
);
