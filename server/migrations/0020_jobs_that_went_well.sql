-- The last run of a repeating job that went well; null before the first.
alter table jobs add column succeeded_at timestamptz;
