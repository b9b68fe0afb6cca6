-- What a recording should hold, and what it does.

-- When a recording was wanted: from an order to record until a pause or the end, whatever its recorder did.
create table recording_intervals (
  recording_id uuid not null references recordings (id) on delete cascade,
  began_at     timestamptz not null,
  ended_at     timestamptz,
  primary key (recording_id, began_at),
  constraint recording_intervals_end_after_they_began check (ended_at >= began_at)
);
create unique index recording_intervals_one_open on recording_intervals (recording_id) where ended_at is null;

-- Since when somebody published, by the connection of the entry.
create table published_tracks (
  room_id        uuid not null references rooms (id),
  track_sid      text not null,
  media_sid      text not null,
  published_at   timestamptz not null,
  unpublished_at timestamptz,
  primary key (room_id, track_sid)
);
create index published_tracks_by_connection on published_tracks (room_id, media_sid);

-- Made once when a recording becomes available: its segments are gone from then on.
create table recording_reports (
  recording_id uuid primary key references recordings (id) on delete cascade,
  is_complete  boolean,
  missing_sec  double precision not null,
  people       jsonb not null,
  segments     jsonb not null,
  made_at      timestamptz not null
);
