-- Objects that no row names, and files that a row names and the storage does not have, as the last look found them.
create table storage_differences (
  kind        text not null,
  storage_key text not null,
  found_at    timestamptz not null,
  -- Set while the database may be older than the storage: such an object is not deleted without a person.
  is_held     boolean not null,
  primary key (kind, storage_key),
  constraint storage_differences_kind_is_known check (kind in ('unnamed', 'missing')),
  constraint storage_differences_held_are_unnamed check (not is_held or kind = 'unnamed')
);
