-- Erasures of people, as tenants request them. What names the person goes when the erasure is done.
create table erasures (
  id            uuid primary key,
  tenant_id     uuid not null references tenants (id),
  -- Keyed hash of the reference.
  subject       text not null,
  external_type text,
  external_id   text,
  recordings    text not null,
  -- Key of the API, or 'operator'.
  requested_by  text not null,
  state         text not null default 'pending',
  waits_until   timestamptz,
  -- How much was removed, by kind.
  removed       jsonb not null default '{}',
  -- Rooms whose recordings stay on request.
  kept_rooms    uuid[] not null default '{}',
  -- What stays, as the receipt says it.
  remains       jsonb not null default '[]',
  -- Objects that must be gone before it is done.
  object_keys   text[] not null default '{}',
  receipt       text,
  requested_at  timestamptz not null,
  finished_at   timestamptz,
  constraint erasures_recordings_is_known check (recordings in ('delete', 'keep')),
  constraint erasures_state_is_known check (state in ('pending', 'waiting', 'blocked', 'done')),
  constraint erasures_done_ones_name_nobody
    check ((state = 'done') = (external_type is null and external_id is null and finished_at is not null)),
  constraint erasures_done_ones_have_a_receipt check (state <> 'done' or receipt is not null)
);
create index erasures_by_tenant on erasures (tenant_id, id desc);
create index erasures_blocked on erasures (tenant_id) where state = 'blocked';

-- What neither an erasure nor retention deletes: a room, or every room of a person.
create table legal_holds (
  id            uuid primary key,
  tenant_id     uuid not null references tenants (id),
  room_id       uuid references rooms (id),
  external_type text,
  external_id   text,
  reason        text not null,
  created_at    timestamptz not null,
  constraint legal_holds_are_of_a_room_or_a_person
    check (num_nonnulls(room_id, external_type) = 1
           and (external_type is null) = (external_id is null))
);
create index legal_holds_by_tenant on legal_holds (tenant_id, id);
create index legal_holds_by_room on legal_holds (room_id) where room_id is not null;
create index legal_holds_by_person on legal_holds (tenant_id, external_type, external_id)
  where external_id is not null;
