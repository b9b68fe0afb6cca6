-- Addresses of transcripts are issued, too.

alter table download_accesses
  -- Set when the transcript was asked for. No reference: the row outlives it.
  add column transcription_id uuid,
  add constraint download_accesses_of_one_file
    check (num_nonnulls(processed_recording_id, transcription_id) <= 1);
