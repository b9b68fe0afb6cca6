-- The caller's W3C trace context at the transition, passed on with the webhook.
alter table webhook_events add column traceparent text;
