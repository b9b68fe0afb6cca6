-- Whether an address was issued for saving the file or for a player.
alter table download_accesses
  add column purpose text not null default 'download' check (purpose in ('download', 'playback'));

-- A comment on a range, an answer to another comment, and whether it is settled.
alter table recording_comments
  add column end_sec double precision,
  add column reply_to uuid references recording_comments (id) on delete cascade,
  add column resolved_at timestamptz,
  add constraint recording_comments_range_is_a_range
    check (end_sec is null or (offset_sec is not null and end_sec > offset_sec));
create index recording_comments_replies on recording_comments (reply_to) where reply_to is not null;

alter table clips add column tags text[] not null default '{}';

-- Who speaks when in a composed recording, as measured when its file was made; deleted with the file.
create table recording_activities (
  recording_id uuid primary key references recordings (id) on delete cascade,
  people jsonb not null
);
