-- no transaction
drop index concurrently if exists clips_reels_by_room;
create index concurrently clips_reels_by_room on clips (room_id, seq) where room_id is not null;
