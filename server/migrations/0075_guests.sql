-- Kinds of participants of the media provider that a tenant lets in as guests: agent, sip, ingress, connector.
alter table tenants add column guest_kinds text[] not null default '{}';

-- The kind of a guest, who came without an entry of ours; null for everybody else.
alter table admissions add column guest_kind text;
