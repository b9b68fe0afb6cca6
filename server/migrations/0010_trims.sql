-- Trims ------------------------------------------------------------------------------------------

-- A trim is tried until it succeeds or its time is over. The number tells an attempt from those that
-- lost their lease: only the last one may hand in its file, which it names after its number.
alter table processed_recordings
  add column attempt      integer not null default 0,
  add column attempted_at timestamptz;
