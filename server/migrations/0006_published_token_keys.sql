-- Where a tenant publishes further keys that sign its participant tokens (RFC 7517).
alter table tenants add column jwks_uri text;
