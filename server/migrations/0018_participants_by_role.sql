-- A participant is bound to a role: in another role the same person is another participant.

alter table participants
  drop constraint participants_external_ref_is_unique,
  add constraint participants_external_ref_is_unique_by_role
    unique (room_id, external_type, external_id, role);
