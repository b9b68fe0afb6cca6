-- Since when the storage does not have what is said to be there; null while it has it, or was not asked.
alter table recording_segments add column missing_since timestamptz;
alter table recordings add column missing_since timestamptz;
