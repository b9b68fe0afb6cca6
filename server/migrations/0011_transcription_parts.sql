-- Transcriptions at work: what is sent to an engine, and what it heard.

-- Failures that another try may get over: while submitting, then, from zero, while processing.
alter table transcriptions
  add column failures integer not null default 0,
  add constraint transcriptions_failures_are_counted check (failures >= 0);

-- One audio at the engine. Gone when the transcription ends.
create table transcription_parts (
  transcription_id uuid not null references transcriptions (id) on delete cascade,
  number           integer not null,
  -- Which file of an individual recording, and who is in it.
  file_name        text,
  speaker          text,
  role             text,
  offset_sec       double precision not null,
  -- Of the audio: what is sent, and from where on its words are taken.
  start_sec        double precision not null,
  end_sec          double precision not null,
  seam_sec         double precision not null,
  -- Raised when the engine has lost what was sent: what belongs to a lower one is late.
  attempt          integer not null default 1,
  -- Written before it is sent, so that nobody sends it again without asking.
  sent_at          timestamptz,
  provider_id      text,
  words            jsonb,
  primary key (transcription_id, number),
  constraint transcription_parts_end_after_start check (end_sec > start_sec),
  constraint transcription_parts_are_sent_before_taken check (provider_id is null or sent_at is not null)
);
