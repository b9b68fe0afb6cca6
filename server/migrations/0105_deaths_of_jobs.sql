-- Runs in a row during which their process died. From two on, the job is isolated: it runs while nothing else does.
alter table jobs add column deaths smallint not null default 0;
