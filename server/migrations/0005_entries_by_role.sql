-- `GET /rooms/{room_id}/entry-histories?role=`: a rare role in a long log.
create index entry_histories_by_role on entry_histories (room_id, role, seq);
