-- Who listens to a room now. A process that takes over writes its own name, and what an earlier one still brings is dropped.
create table live_listeners (
  room_id uuid primary key references rooms (id) on delete cascade,
  listener uuid not null,
  since timestamptz not null default clock_timestamp()
);

-- What was said, as an engine heard it: finals only. `segment` is unique for each utterance, whose translations share it.
create table live_texts (
  id uuid primary key,
  room_id uuid not null references rooms (id) on delete cascade,
  seq bigint not null,
  participant_id uuid,
  media_identity text not null,
  segment text not null,
  language text not null,
  is_translation boolean not null,
  text text not null,
  -- False if hidden roles received nothing at that time, because somebody had not agreed to be observed.
  is_observable boolean not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint live_texts_are_stored_once unique (room_id, segment, is_translation, language)
);
create index live_texts_by_room on live_texts (room_id, seq);
create index live_texts_by_age on live_texts (created_at);
