-- When a visitor of the simple route was banned, which removes them, too. A removal alone lets them in again. Those who
-- were removed before count as banned, as they did.
alter table admissions add column banned_at timestamptz;
update admissions set banned_at = removed_at where removed_at is not null and participant_id is null;
