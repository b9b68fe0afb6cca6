-- The W3C trace context (at most 55 characters) under which a job was asked for and an event recorded:
-- what runs later continues that trace. `webhook_events.traceparent` is the caller's own, for its webhooks.
alter table jobs add column trace_context text;
alter table webhook_events add column trace_context text;
