-- Recordings that the service composes itself, of what the provider captured.

-- What was shown in a room, by the room event that showed it: the handout may get another file later, or be
-- deleted, and a recording still needs this one.
create table handout_presentations (
  room_id      uuid not null references rooms (id),
  seq          bigint not null,
  handout_id   uuid not null,
  content_type text not null,
  storage_key  text not null,
  primary key (room_id, seq),
  constraint handout_presentations_content_type_is_known check (content_type in ('image', 'video'))
);
create index handout_presentations_by_storage_key on handout_presentations (storage_key);

-- How far the provider's clock was ahead of ours when it was asked.
alter table recording_segments add column clock_offset_ms double precision;

-- How far the file of a recording is composed: since when this attempt runs, and what was last told.
alter table recordings
  add column composing_since  timestamptz,
  add column composed_percent smallint,
  add column composed_at      timestamptz,
  add constraint recordings_composed_percent_is_one check (composed_percent between 0 and 100);
