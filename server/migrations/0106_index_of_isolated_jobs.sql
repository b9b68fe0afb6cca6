-- no transaction
drop index concurrently if exists jobs_isolated;
create index concurrently jobs_isolated on jobs (due_at) where deaths >= 2 and state = 'due';
