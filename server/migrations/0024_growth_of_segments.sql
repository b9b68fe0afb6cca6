-- Whether an active segment is really being written: how many bytes its recorder reported last, when they
-- last grew, and since when a segment that was ended for it had not grown. Null where the provider reports none.
alter table recording_segments
  add column written_bytes bigint,
  add column grown_at      timestamptz,
  add column stalled_at    timestamptz;
