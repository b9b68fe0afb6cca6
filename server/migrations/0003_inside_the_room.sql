-- Live stream ------------------------------------------------------------------------------------

-- What the live streams of a room tell, in commit order. A row names a fact; what a reader is sent
-- is read when it is sent, so that nothing purged lies here.
create table live_events (
  room_id        uuid not null references rooms (id),
  seq            bigint not null,
  name           text not null,
  -- Who may know of it.
  roles          text[] not null,
  -- Only this participant, when set.
  participant_id uuid references participants (id),
  -- The message that a `message` is about.
  message_id     uuid,
  payload        jsonb,
  created_at     timestamptz not null,
  primary key (room_id, seq)
);
create index live_events_by_age on live_events (created_at);
