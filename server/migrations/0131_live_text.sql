-- Who may read what is said while it is said. A room without a value has its tenant's; the narrower of both counts.
alter table tenants
  add column live_text text not null default 'off' check (live_text in ('off', 'staff', 'everyone'));
alter table rooms add column live_text text check (live_text in ('off', 'staff', 'everyone'));
