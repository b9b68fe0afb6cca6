-- Work in the background costs what is going on, not what has been.

-- Slots that hold a moment: which rooms are to be looked after, however many there have been.
create index sessions_by_slot on sessions using gist (tstzrange(starts_at, ends_at, '[]'))
  where cancelled_at is null;

-- When its last run ended well; of jobs that were to run again.
alter table jobs add column succeeded_at timestamptz;

-- A recorder that dies says nothing: its connection to the media room is the only sign.
alter table recording_segments
  -- Since when its connection was seen in the media room.
  add column recorder_seen_at timestamptz,
  -- Since when it is not there any more, although nobody asked it to end.
  add column recorder_gone_at timestamptz;
alter table recordings
  -- It is paused because its recorder died, and goes on by itself; null otherwise.
  add column interrupted_at timestamptz,
  -- How often it went on by itself, or tried to.
  add column restarts integer not null default 0;

-- Recordings that are not at their end, and those that failed with parts that are kept.
create index recordings_unfinished on recordings (room_id)
  where status in ('started', 'paused', 'stopped', 'uploaded');
create index recordings_failed on recordings (updated_at) where status = 'failed';
create index recordings_with_file on recordings (id) where status = 'available';

-- What sweeps look for. See docs/retention.md.
create index admissions_by_age on admissions (admitted_at);
create index download_accesses_by_age on download_accesses (issued_at);
create index jobs_discarded on jobs (due_at) where state = 'discarded';
create index board_links_by_end on board_links (expires_at);

-- An admission goes when it is old, and whoever refers to it stays.
create index participants_by_admission on participants (admission_id)
  where admission_id is not null;
create index live_events_by_admission on live_events (admission_id)
  where admission_id is not null;
alter table participants
  drop constraint participants_admission_id_fkey,
  add constraint participants_admission_id_fkey
    foreign key (admission_id) references admissions (id) on delete set null;
alter table live_events
  drop constraint live_events_admission_id_fkey,
  add constraint live_events_admission_id_fkey
    foreign key (admission_id) references admissions (id) on delete cascade;
