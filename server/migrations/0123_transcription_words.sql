-- Versions of a transcript: its words as JSON, and the WebVTT made of them. Revision 0 is the engine's.
create table transcription_revisions (
  transcription_id uuid not null references transcriptions (id) on delete cascade,
  revision integer not null check (revision >= 0),
  words_key text not null,
  result_key text not null,
  -- Who made it: the engine by its name, an API key by its id, or a viewer by their reference.
  author_kind text not null check (author_kind in ('engine', 'api_key', 'viewer')),
  author_reference text not null,
  author_name text,
  created_at timestamptz not null,
  primary key (transcription_id, revision)
);
create index transcription_revisions_by_words_key on transcription_revisions (words_key);
create index transcription_revisions_by_result_key on transcription_revisions (result_key);

-- The person whose sound it is, if the sound is of one person.
alter table transcription_parts add column participant_id uuid;
