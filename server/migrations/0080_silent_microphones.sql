-- The page last reported that the microphone, which is on, sends nothing but digital silence.
alter table admissions add column is_microphone_silent boolean not null default false;
