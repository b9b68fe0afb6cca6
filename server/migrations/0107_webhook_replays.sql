-- Orders to send the events of a period again. A job adds their deliveries batch by batch.
create table webhook_replays (
  id          uuid primary key,
  tenant_id   uuid not null references tenants (id),
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  -- Null: every type that the endpoint takes.
  event_type  text,
  since       timestamptz not null,
  until       timestamptz,
  state       text not null default 'running',
  -- Events when it was ordered, and those whose deliveries were added since.
  events      integer not null,
  queued      integer not null default 0,
  -- Events up to after_seq are done, and last_seq is the newest one when it was ordered.
  after_seq   bigint not null default 0,
  last_seq    bigint not null,
  created_at  timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  constraint webhook_replays_state_is_known check (state in ('running', 'done', 'cancelled'))
);
create index webhook_replays_by_tenant on webhook_replays (tenant_id, created_at);
create index webhook_replays_by_age on webhook_replays (created_at);
create index webhook_replays_by_endpoint on webhook_replays (endpoint_id);
