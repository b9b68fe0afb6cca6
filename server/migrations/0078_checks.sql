-- The outcome of the newest probe of media, and how many in a row have failed. One row.
create table media_probes (
  is_newest boolean primary key default true check (is_newest),
  ended_at timestamptz not null default clock_timestamp(),
  took_ms integer not null check (took_ms >= 0),
  -- Name of the first check that failed; null if none did.
  failed_check text,
  failures integer not null check (failures >= 0),
  constraint failures_have_a_check check ((failed_check is null) = (failures = 0))
);

-- The newest notification of the media provider that was not taken, for each reason, so that the doctor can name it.
create table refused_notifications (
  reason text primary key check (reason in ('signature', 'time', 'path')),
  refused_at timestamptz not null default clock_timestamp(),
  path text not null check (length(path) <= 200)
);
