-- The engines of live text that the workers have, as the newest one to start was configured. Without any, live text is off in every
-- room. There is one row at most.
create table live_engines (
  id boolean primary key default true,
  names text[] not null,
  noted_at timestamptz not null default clock_timestamp(),
  constraint live_engines_are_one_row check (id)
);
