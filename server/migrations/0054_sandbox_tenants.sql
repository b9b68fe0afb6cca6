-- Sandbox tenants: people, media and engines are simulated, for good. A key that includes the switch
-- lets the tables of the simulation refer to sandbox tenants alone: the database itself refuses a
-- simulated row of a real tenant.
alter table tenants add column is_sandbox boolean not null default false;
alter table tenants add constraint tenants_by_sandbox unique (id, is_sandbox);

create function refuse_sandbox_switch() returns trigger language plpgsql as $$
begin
  raise exception 'a tenant is a sandbox from the beginning or never';
end
$$;
create trigger tenants_sandbox_is_final before update of is_sandbox on tenants
  for each row when (old.is_sandbox is distinct from new.is_sandbox)
  execute function refuse_sandbox_switch();

-- The media rooms of the simulated provider, by the name that the provider is given: the room's id.
create table simulated_media_rooms (
  name              uuid primary key,
  tenant_id         uuid not null,
  is_sandbox        boolean not null default true,
  sid               text not null,
  empty_timeout_sec integer not null,
  constraint simulated_media_rooms_of_sandboxes check (is_sandbox),
  constraint simulated_media_rooms_tenant foreign key (tenant_id, is_sandbox)
    references tenants (id, is_sandbox)
);

-- Who is connected to them.
create table simulated_connections (
  media_room        uuid not null references simulated_media_rooms (name) on delete cascade,
  identity          text not null,
  sid               text not null,
  joined_at         timestamptz not null,
  is_publishing     boolean not null,
  is_muted          boolean not null default false,
  may_publish       boolean not null default true,
  may_receive       boolean not null default true,
  may_share_screen  boolean not null default false,
  primary key (media_room, identity)
);

-- What the simulated recorder has written. Kept behind the media room, as a provider keeps them.
create table simulated_egresses (
  egress_id         text primary key,
  media_room        uuid not null,
  tenant_id         uuid not null,
  is_sandbox        boolean not null default true,
  status            text not null,
  -- What it shall fail with; null when it is to succeed.
  failure_reason    text,
  output_path       text not null,
  started_at        timestamptz,
  ended_at          timestamptz,
  size_bytes        bigint,
  duration_sec      double precision,
  created_at        timestamptz not null,
  constraint simulated_egresses_of_sandboxes check (is_sandbox),
  constraint simulated_egresses_tenant foreign key (tenant_id, is_sandbox)
    references tenants (id, is_sandbox),
  constraint simulated_egresses_status_is_known
    check (status in ('starting', 'active', 'complete', 'failed', 'aborted'))
);
create index simulated_egresses_by_media_room on simulated_egresses (media_room, created_at);
create index simulated_egresses_by_tenant on simulated_egresses (tenant_id);
create index simulated_media_rooms_by_tenant on simulated_media_rooms (tenant_id);

-- What shall fail in a room of a sandbox, by the webhook that reports it.
create table simulated_failures (
  room_id        uuid not null references rooms (id) on delete cascade,
  webhook_type   text not null,
  tenant_id      uuid not null,
  is_sandbox     boolean not null default true,
  failure_reason text not null,
  primary key (room_id, webhook_type),
  constraint simulated_failures_of_sandboxes check (is_sandbox),
  constraint simulated_failures_tenant foreign key (tenant_id, is_sandbox)
    references tenants (id, is_sandbox)
);
create index simulated_failures_by_tenant on simulated_failures (tenant_id);
