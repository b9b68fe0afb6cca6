-- A tenant has several endpoints, each for all types of events or for some.
alter table webhook_endpoints
  drop constraint webhook_endpoints_one_per_tenant,
  add column description text,
  -- Null: every type.
  add column event_types text[],
  add constraint webhook_endpoints_event_types_are_some check (cardinality(event_types) > 0);
create index webhook_endpoints_by_tenant on webhook_endpoints (tenant_id);
