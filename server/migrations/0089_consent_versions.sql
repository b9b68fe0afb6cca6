-- Every version of a consent text that a tenant has had. An answer names one of them; the page that sends it may still
-- show an older text.
create table consent_versions (
  tenant_id uuid not null references tenants (id),
  version   text not null,
  primary key (tenant_id, version)
);

insert into consent_versions (tenant_id, version)
select tenant_id, version from consent_texts
union
-- Texts were replaced in place until now, so versions that answers name are taken as they are.
select tenant_id, payload ->> 'version'
  from room_events
 where event_type = 'consent.given' and payload ->> 'version' is not null;
