-- Deliveries of one resource wait for each other at any age, whatever waits besides.

alter table webhook_deliveries
  -- Null: an older delivery of the resource is still to be made.
  alter column due_at drop not null,
  -- Every attempt; `attempt` counts those of the schedule.
  add column attempts_made integer not null default 0,
  -- The receiver refuses this event: it goes on by itself, and later ones of its resource pass it.
  add column parked_at timestamptz;

alter table webhook_endpoints
  drop constraint webhook_endpoints_state_is_known,
  add constraint webhook_endpoints_state_is_known
    check (state in ('active', 'paused', 'gone', 'disabled')),
  -- Whose failure was the last one: a single event is no sign of a broken endpoint.
  add column failed_event_id text,
  add column failed_events integer not null default 0,
  -- Deliveries that may be on their way side by side; grows with quick answers.
  add column parallel integer not null default 4,
  -- The last attempt took long.
  add column is_slow boolean not null default false,
  -- Those who were served longest ago come first.
  add column claimed_at timestamptz not null default clock_timestamp();

update webhook_deliveries set attempts_made = attempt where attempt > 0;
update webhook_deliveries later
   set due_at = null
 where state = 'pending'
   and exists (select 1 from webhook_deliveries older
                where older.endpoint_id = later.endpoint_id
                  and older.stream_key = later.stream_key
                  and older.state = 'pending'
                  and older.id < later.id);

drop index webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at)
 where state = 'pending' and due_at is not null;
create index webhook_deliveries_under_way on webhook_deliveries (endpoint_id)
 where lease_token is not null;
drop index webhook_deliveries_order;
create index webhook_deliveries_order on webhook_deliveries (endpoint_id, stream_key, id)
 where state = 'pending' and parked_at is null;

-- What came of an attempt that an operator waits for.
create index webhook_attempts_by_time on webhook_attempts (started_at);
-- What the sweep looks for.
create index webhook_events_by_age on webhook_events (created_at);
