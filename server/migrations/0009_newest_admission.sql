-- One place in a room for each person --------------------------------------------------------------

-- The newest admission of the person: tickets of an earlier one are over.
alter table participants add column admission_id uuid references admissions (id);
update participants p
   set admission_id = (select a.id
                         from admissions a
                        where a.participant_id = p.id
                        order by a.admitted_at desc
                        limit 1);

-- When a visitor of the simple route, who is no participant, was put out.
alter table admissions add column removed_at timestamptz;

-- Only the page of this admission, when set.
alter table live_events add column admission_id uuid references admissions (id);

