-- no transaction
-- Built beside those who write: the table is large.

-- The participants of a person in all rooms of a tenant.
drop index concurrently if exists participants_by_external_ref;
create index concurrently participants_by_external_ref
  on participants (tenant_id, external_type, external_id) where external_id is not null;
