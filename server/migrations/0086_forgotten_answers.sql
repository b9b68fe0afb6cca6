-- An answer that is kept under an Idempotency-Key goes with every resource whose id it contains.

create function ids_in(answer text) returns uuid[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct found[1]::uuid), '{}')
    from regexp_matches(
           answer, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g') as found
$$;

create function forget_answers() returns trigger language plpgsql as $$
begin
  delete from idempotency_keys
   where body is not null and ids_in(body) && (select array_agg(id) from gone);
  return null;
end $$;

create trigger recordings_forget_answers after delete on recordings
  referencing old table as gone for each statement execute function forget_answers();
create trigger processed_recordings_forget_answers after delete on processed_recordings
  referencing old table as gone for each statement execute function forget_answers();
create trigger transcriptions_forget_answers after delete on transcriptions
  referencing old table as gone for each statement execute function forget_answers();
create trigger clips_forget_answers after delete on clips
  referencing old table as gone for each statement execute function forget_answers();
create trigger recording_comments_forget_answers after delete on recording_comments
  referencing old table as gone for each statement execute function forget_answers();
create trigger handouts_forget_answers after delete on handouts
  referencing old table as gone for each statement execute function forget_answers();
create trigger connection_tests_forget_answers after delete on connection_tests
  referencing old table as gone for each statement execute function forget_answers();
