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

-- Chat -------------------------------------------------------------------------------------------

alter table chat_messages
  -- Whom the media provider knows the sender by: tells senders without a participant apart. Null
  -- for the service's own.
  add column media_identity text,
  -- The upload that the file came by; it may be forgotten by now.
  add column attachment_id  uuid;
create index chat_messages_by_sender on chat_messages (room_id, media_identity, seq);

-- Only the sender may repeat a message that was purged.
alter table chat_tombstones add column media_identity text;

-- Places to which files for the chat may be uploaded, each for one message of whoever asked for it.
create table chat_attachments (
  id             uuid primary key,
  room_id        uuid not null references rooms (id),
  media_identity text not null,
  visibility     text not null,
  name           text not null,
  mime           text not null,
  upload_key     text not null,
  -- The message that took it over.
  message_id     uuid,
  created_at     timestamptz not null default clock_timestamp(),
  constraint chat_attachments_visibility_is_known
    check (visibility in ('public', 'private', 'observer_only'))
);
create index chat_attachments_by_sender on chat_attachments (room_id, media_identity, created_at);
create index chat_attachments_by_age on chat_attachments (created_at);
