-- no transaction
-- Built beside those who write: some of these tables are large.

-- The event feed of a tenant, and events that have no place in it yet.
drop index concurrently if exists webhook_events_in_feed;
create unique index concurrently webhook_events_in_feed on webhook_events (tenant_id, feed_position)
  where feed_position is not null;
drop index concurrently if exists webhook_events_before_feed;
create index concurrently webhook_events_before_feed on webhook_events (tenant_id, seq)
  where feed_position is null;

-- The access log and the usage of a tenant.
drop index concurrently if exists download_accesses_by_tenant;
create index concurrently download_accesses_by_tenant on download_accesses (tenant_id, id);
drop index concurrently if exists entry_histories_by_tenant;
create index concurrently entry_histories_by_tenant on entry_histories (tenant_id, entered_at);
drop index concurrently if exists recordings_by_tenant;
create index concurrently recordings_by_tenant on recordings (tenant_id, created_at)
  include (size_bytes);
drop index concurrently if exists processed_recordings_by_tenant;
create index concurrently processed_recordings_by_tenant on processed_recordings (tenant_id)
  include (size_bytes);
drop index concurrently if exists transcriptions_by_tenant;
create index concurrently transcriptions_by_tenant on transcriptions (tenant_id, created_at);
drop index concurrently if exists handouts_by_tenant;
create index concurrently handouts_by_tenant on handouts (tenant_id) include (size_bytes);
