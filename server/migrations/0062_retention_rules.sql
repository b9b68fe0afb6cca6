-- How many days after the end of a room a tenant's records of a kind are deleted. Without a row they stay.
create table retention_rules (
  tenant_id  uuid not null references tenants (id),
  kind       text not null,
  days       integer not null,
  updated_at timestamptz not null,
  primary key (tenant_id, kind),
  constraint retention_rules_kind_is_known check (kind in ('recordings', 'chat', 'handouts')),
  constraint retention_rules_days_are_bounded check (days between 1 and 3650)
);

-- What will be deleted, from the notice in the event feed until it is.
create table retention_notices (
  room_id    uuid not null references rooms (id) on delete cascade,
  kind       text not null,
  tenant_id  uuid not null references tenants (id),
  noticed_at timestamptz not null,
  delete_at  timestamptz not null,
  primary key (room_id, kind),
  constraint retention_notices_kind_is_known check (kind in ('recordings', 'chat', 'handouts'))
);
create index retention_notices_by_time on retention_notices (delete_at);
create index retention_notices_by_tenant on retention_notices (tenant_id, kind);

-- Events that are read in the feed, and never sent.
alter table webhook_events add column is_feed_only boolean not null default false;
