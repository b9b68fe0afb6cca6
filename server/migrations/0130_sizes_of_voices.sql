-- Bytes of these objects, which count among what a tenant stores: of a revision, its words and its captions.
alter table recording_voices add column size_bytes bigint not null default 0;
alter table transcription_revisions add column size_bytes bigint not null default 0;
