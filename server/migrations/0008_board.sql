-- The operator's board -----------------------------------------------------------------------------

-- Links that open the board of a tenant. A link ends by its time, or because its operator's was ended.
create table board_links (
  id           uuid primary key,
  tenant_id    uuid not null references tenants (id),
  -- Whom it was made for: the internal reference under which the operator enters rooms.
  operator     text not null,
  display_name text not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  ended_at     timestamptz,
  constraint board_links_expire_after_creation check (created_at < expires_at)
);
create index board_links_by_operator on board_links (tenant_id, operator);

-- The rooms of a tenant around a moment.
create index sessions_by_start on sessions (tenant_id, starts_at);

alter table admissions
  -- What the page last said of its line, and when.
  add column line           text,
  add column line_at        timestamptz,
  -- Since when it has been poor or lost without a break.
  add column line_bad_since timestamptz,
  add constraint admissions_line_is_known check (line in ('good', 'fair', 'poor', 'lost')),
  add constraint admissions_bad_lines_have_a_begin
    check (coalesce(line in ('poor', 'lost'), false) = (line_bad_since is not null));
