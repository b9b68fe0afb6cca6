-- What people in the room read instead of the file's name; null for none.
alter table handouts add column title text;
