-- no transaction
-- What is read at each scrape of the metrics costs the same however much history there is.

drop index concurrently if exists jobs_discarded;
create index concurrently jobs_discarded on jobs (kind) where state = 'discarded';

drop index concurrently if exists webhook_deliveries_pending;
create index concurrently webhook_deliveries_pending on webhook_deliveries (id)
  where state = 'pending';

drop index concurrently if exists recordings_unfinished;
create index concurrently recordings_unfinished on recordings (status)
  where status in ('started', 'paused', 'stopped', 'uploaded');

drop index concurrently if exists recordings_failed;
create index concurrently recordings_failed on recordings (updated_at) where status = 'failed';
