-- When the recorder of a segment was away, and came back to the same capture: [{"fromMs", "toMs"}], in
-- milliseconds since 1970 by the clock of the service.
alter table recording_segments add column absences jsonb not null default '[]';
