-- What staff may do with recordings after the interview, by the link on their last page; nothing by default.
alter table tenants add column staff_review text[] not null default '{}';

-- Links to a recording or a clip that a viewer or the tenant's backend has given away.
create table review_shares (
  id uuid primary key,
  tenant_id uuid not null references tenants (id),
  recording_id uuid not null references recordings (id) on delete cascade,
  clip_id uuid references clips (id) on delete cascade,
  seq bigint not null,
  may text[] not null,
  -- Who made it; nobody where it was made with an API key. It ends with the token that it was made with.
  viewer_reference text check (char_length(viewer_reference) between 1 and 64),
  viewer_name text check (char_length(viewer_name) between 1 and 255),
  viewer_token_id text,
  -- scrypt of the password, with its salt; null without one.
  password_salt bytea,
  password_hash bytea,
  views integer not null default 0,
  last_viewed_at timestamptz,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null,
  unique (recording_id, seq)
);
create trigger review_shares_forget_answers after delete on review_shares
  referencing old table as gone for each statement execute function forget_answers();
