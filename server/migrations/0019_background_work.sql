-- Work in the background costs what is going on, not what has been.

-- Slots that hold a moment: which rooms are to be looked after, however many there have been.
create index sessions_by_slot on sessions using gist (tstzrange(starts_at, ends_at, '[]'))
  where cancelled_at is null;

-- When its last run ended well; of jobs that were to run again.
alter table jobs add column succeeded_at timestamptz;
