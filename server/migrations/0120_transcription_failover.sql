-- Engines that transcriptions try, in this order, when the room's own engine cannot. A room without a list has its tenant's.
alter table tenants add column transcription_failover text[] not null default '{}';
alter table rooms add column transcription_failover text[];

-- Engines that are left to try, and the attempts that failed: [{engine, started_at, ended_at, failure_reason}].
alter table transcriptions
  add column next_engines text[] not null default '{}',
  add column failed_attempts jsonb not null default '[]';
