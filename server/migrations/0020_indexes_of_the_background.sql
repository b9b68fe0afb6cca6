-- no transaction
-- Built beside those who write: some of these tables are large.

-- Slots that hold a moment: which rooms are to be looked after, however many there have been.
drop index concurrently if exists sessions_by_slot;
create index concurrently sessions_by_slot on sessions using gist (tstzrange(starts_at, ends_at, '[]'))
  where cancelled_at is null;

-- Recordings that are not at their end, and those that failed with parts that are kept.
drop index concurrently if exists recordings_unfinished;
create index concurrently recordings_unfinished on recordings (room_id)
  where status in ('started', 'paused', 'stopped', 'uploaded');
drop index concurrently if exists recordings_failed;
create index concurrently recordings_failed on recordings (updated_at) where status = 'failed';
drop index concurrently if exists recordings_with_file;
create index concurrently recordings_with_file on recordings (id) where status = 'available';

-- What sweeps look for. See docs/retention.md.
drop index concurrently if exists admissions_by_age;
create index concurrently admissions_by_age on admissions (admitted_at);
drop index concurrently if exists download_accesses_by_age;
create index concurrently download_accesses_by_age on download_accesses (issued_at);
drop index concurrently if exists jobs_discarded;
create index concurrently jobs_discarded on jobs (due_at) where state = 'discarded';
drop index concurrently if exists board_links_by_end;
create index concurrently board_links_by_end on board_links (expires_at);
drop index concurrently if exists participants_by_admission;
create index concurrently participants_by_admission on participants (admission_id)
  where admission_id is not null;
drop index concurrently if exists live_events_by_admission;
create index concurrently live_events_by_admission on live_events (admission_id)
  where admission_id is not null;

-- What each scrape of the metrics counts.
drop index concurrently if exists jobs_discarded_by_kind;
create index concurrently jobs_discarded_by_kind on jobs (kind) where state = 'discarded';
drop index concurrently if exists webhook_deliveries_pending;
create index concurrently webhook_deliveries_pending on webhook_deliveries (id)
  where state = 'pending';

alter table participants validate constraint participants_admission_id_fkey;
alter table live_events validate constraint live_events_admission_id_fkey;
