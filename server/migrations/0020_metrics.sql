-- What is read at each scrape of the metrics costs the same however much history there is.

-- The last run of a repeating job that went well; null before the first.
alter table jobs add column succeeded_at timestamptz;

create index jobs_discarded on jobs (kind) where state = 'discarded';
create index webhook_deliveries_pending on webhook_deliveries (id) where state = 'pending';
create index recordings_unfinished on recordings (status)
  where status in ('started', 'paused', 'stopped', 'uploaded');
create index recordings_failed on recordings (updated_at) where status = 'failed';
