-- What each key of a tenant may do, until when, and whether it is still in use.
alter table api_keys
  add column scopes       text[] not null default '{control}',
  add column expires_at   timestamptz,
  add column last_used_at timestamptz,
  add constraint api_keys_scopes_are_known
    check (cardinality(scopes) > 0 and scopes <@ array['control', 'manage']);

-- Places in the event feed of a tenant: given to committed events in order, when the feed is read.
create table event_feeds (
  tenant_id     uuid primary key references tenants (id),
  last_position bigint not null
);
alter table webhook_events add column feed_position bigint;
