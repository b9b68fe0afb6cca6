-- What the page of a connection test brings and asks for.

alter table connection_tests
  -- What was measured, as it was sampled; never published.
  add column samples jsonb,
  -- The test that the person took again.
  add column repeat_of uuid references connection_tests (id) on delete set null,
  -- 1 for a test that the tenant started, 2 for its first repeat.
  add column attempt integer not null default 1;

-- Whoever asks twice for a repeat gets the same one.
create unique index connection_tests_one_repeat on connection_tests (repeat_of);
