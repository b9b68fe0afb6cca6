-- Three characters in a row find their lines by an index. It needs the right to create on the database, unless somebody has added
-- the extension before.
create extension if not exists pg_trgm;

-- The text without regard to width and case, as it is searched.
alter table transcript_lines
  add column folded text generated always as (lower(normalize(text, nfkc))) stored;
create index transcript_lines_by_trigrams on transcript_lines using gin (folded gin_trgm_ops);
