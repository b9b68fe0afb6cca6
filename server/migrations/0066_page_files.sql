-- The files of the built pages of every release that runs, or ran lately: a page may come from one process and its
-- scripts from another one, of another release.
create table page_files (
  name text primary key,
  content bytea not null,
  -- When a process that has the file last started.
  offered_at timestamptz not null default now()
);
-- Most are scripts, which PostgreSQL would compress at each start of a release.
alter table page_files alter column content set storage external;
