-- The access log notes who reads the live transcript of a recording. Every row so far has one of the first two words.
alter table download_accesses
  drop constraint download_accesses_purpose_check,
  add constraint download_accesses_purpose_is_known
    check (purpose in ('download', 'playback', 'live_transcript')) not valid;
