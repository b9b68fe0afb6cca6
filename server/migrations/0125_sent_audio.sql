-- Where the stretches of sound in a part are in its file: silence is not sent. Null for parts from before, sent whole.
alter table transcription_parts add column soundings jsonb;

-- Seconds of sound that were sent to engines.
alter table transcriptions add column sent_sec double precision;
