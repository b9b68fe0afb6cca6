-- no transaction
-- The kept answers that contain an id, for `forget_answers`.
drop index concurrently if exists idempotency_keys_by_resource;
create index concurrently idempotency_keys_by_resource on idempotency_keys using gin (ids_in(body))
 where body is not null;
