-- The sound of each person alone in a composed recording, of which transcripts are made; deleted with the file.
create table recording_voices (
  recording_id uuid not null references recordings (id) on delete cascade,
  media_identity text not null,
  storage_key text not null,
  primary key (recording_id, media_identity)
);
create index recording_voices_by_storage_key on recording_voices (storage_key);
