-- Origins whose pages may show this tenant's rooms in a frame; nobody's, when empty.
alter table tenants add column frame_ancestors text[] not null default '{}';
