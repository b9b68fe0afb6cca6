-- The newest compositions say how long the next ones are likely to take.
create index recordings_by_composed_at on recordings (composed_at desc) where composed_at is not null;
