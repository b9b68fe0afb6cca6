-- Parts of recordings that take long or come late.

alter table recording_segments
  -- The last sign of life that the provider gave of it while it was ending.
  add column alive_at       timestamptz,
  -- Failed by a deadline of ours and not by the provider's word: its file may still come.
  add column is_overdue     boolean not null default false,
  -- The last status that was told of it too late: logged once.
  add column ignored_status text;
