-- Set when a person decided to keep the object: it stays, and raises no alarm.
alter table storage_differences
  add column kept_at timestamptz,
  add constraint storage_differences_kept_are_held check (kept_at is null or is_held);
