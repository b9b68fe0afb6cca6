-- What the operator allows a tenant: null is the service's setting, 0 is no limit.
alter table tenants
  add column requests_per_min integer,
  add column rooms_max        integer,
  add column stored_bytes_max bigint,
  add constraint tenants_requests_per_min_is_a_number check (requests_per_min >= 0),
  add constraint tenants_rooms_max_is_a_number check (rooms_max >= 0),
  add constraint tenants_stored_bytes_max_is_a_number check (stored_bytes_max >= 0);

-- For the open rooms of a tenant.
create index sessions_by_tenant_and_end on sessions (tenant_id, ends_at);

-- Requests that processes have reserved in the current minute of a tenant. Unlogged: a count that a
-- crash of the database forgets begins again, and so it costs no write-ahead log.
create unlogged table request_windows (
  tenant_id  uuid primary key references tenants (id),
  started_at timestamptz not null,
  taken      integer not null
);
