-- Lines of the newest revision of each transcript: the cues of its WebVTT. Each revision replaces those before it.
create table transcript_lines (
  transcription_id uuid not null references transcriptions (id) on delete cascade,
  position integer not null check (position >= 0),
  start_sec double precision not null,
  end_sec double precision not null,
  participant_id uuid,
  speaker text,
  role text,
  text text not null,
  primary key (transcription_id, position)
);
