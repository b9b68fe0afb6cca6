-- A reel is a clip of several parts: the ranges of its clips, in recordings of one room. `recording_id` is the first of them.
alter table clips
  add column room_id uuid references rooms (id) on delete cascade,
  add column reel jsonb,
  add column recording_ids uuid[] not null default '{}',
  -- The name that is drawn over the picture.
  add column watermark text,
  -- The finished share of the file, while a worker makes it.
  add column progress_percent smallint check (progress_percent between 0 and 100),
  add constraint clips_reels_have_a_room check ((room_id is null) = (reel is null));

alter table download_accesses add column reel_id uuid;

alter table review_shares
  add column is_reel boolean not null default false,
  add column watermark text;
