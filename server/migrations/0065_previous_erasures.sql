-- The erasure of the same person that was done before this one was requested.
alter table erasures add column previous_erasure_id uuid references erasures (id);
create index erasures_open on erasures (tenant_id, external_type, external_id)
  where state <> 'done';
create index erasures_by_subject on erasures (tenant_id, subject, id desc);
