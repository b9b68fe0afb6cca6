-- What people say about a recording holds, however far the provider is with it.

alter table recordings
  drop constraint recordings_stop_reason_is_known,
  add constraint recordings_stop_reason_is_known
    check (stop_reason in ('moderator', 'consent_refused', 'everybody_left', 'room_closed',
                           'window_ended', 'provider')),
  -- One that a moderator stopped before the provider had answered stays, unseen, as that word.
  drop constraint recordings_seen_ones_are_known_to_the_provider,
  add constraint recordings_seen_ones_are_known_to_the_provider
    check (provider_archive_id is not null or status = 'started'
           or (status = 'failed' and stop_reason = 'moderator'));

alter table recording_segments
  -- The provider refused to start it, or was silent: nobody waits for an answer.
  add column ask_failed_at timestamptz;
