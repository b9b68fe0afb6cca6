-- no transaction
-- The deliveries of an endpoint, the newest first, whatever became of them.
drop index concurrently if exists webhook_deliveries_by_endpoint;
create index concurrently webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, id);
