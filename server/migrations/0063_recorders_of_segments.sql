-- The address of the recorder that writes a segment, or was asked to: a stop goes there. Null of those that
-- were asked for before, and while nobody writes.
alter table recording_segments add column recorder text;
