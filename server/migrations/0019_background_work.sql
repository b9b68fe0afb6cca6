-- Work in the background costs what is going on, not what has been. Its indexes follow in 0020.

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

-- An admission goes when it is old, and whoever refers to it stays. Judged for old rows in 0020.
alter table participants
  drop constraint participants_admission_id_fkey,
  add constraint participants_admission_id_fkey
    foreign key (admission_id) references admissions (id) on delete set null not valid;
alter table live_events
  drop constraint live_events_admission_id_fkey,
  add constraint live_events_admission_id_fkey
    foreign key (admission_id) references admissions (id) on delete cascade not valid;
