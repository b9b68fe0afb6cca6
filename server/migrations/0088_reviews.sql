-- Who asked for the address: an API key, or a viewer by their reference and the id of their token.
alter table download_accesses
  add column api_key_id text,
  add column viewer_reference text,
  add column viewer_token_id text;

-- When its author last changed it.
alter table recording_comments add column updated_at timestamptz;
