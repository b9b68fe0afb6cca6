-- Trims ------------------------------------------------------------------------------------------

-- A trim is tried until it succeeds or its time is over. The number tells an attempt from those that
-- lost their lease: only the last one may hand in its file, which it names after its number.
alter table processed_recordings
  add column attempt      integer not null default 0,
  add column attempted_at timestamptz;

-- Which of these objects has somebody: asked of every key once a day.
create index recordings_by_storage_key on recordings (storage_key) where storage_key is not null;
create index processed_recordings_by_storage_key on processed_recordings (storage_key)
  where storage_key is not null;
create index processed_recordings_by_upload_key on processed_recordings (upload_key)
  where upload_key is not null;
create index transcriptions_by_result_key on transcriptions (result_key)
  where result_key is not null;
create index handouts_by_storage_key on handouts (storage_key);
create index chat_messages_by_attachment_key on chat_messages (attachment_key)
  where attachment_key is not null;
create index chat_attachments_by_upload_key on chat_attachments (upload_key);
