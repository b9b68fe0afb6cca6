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
