-- What a tenant's panelists are asked, and what they read before they answer.
alter table tenants
  add column recording_consent   text not null default 'ask',
  add column observation_consent text not null default 'informed',
  -- Where panelists may go after the interview; nowhere, when null.
  add column return_url          text,
  add constraint tenants_recording_consent_is_known check (recording_consent in ('ask', 'obtained')),
  add constraint tenants_observation_consent_is_known
    check (observation_consent in ('informed', 'required'));

-- Without a row the service has words of its own.
create table consent_texts (
  tenant_id  uuid not null references tenants (id),
  language   text not null,
  version    text not null,
  company    text not null,
  purpose    text not null,
  retention  text not null,
  contact    text not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, language),
  constraint consent_texts_language_is_known check (language in ('ja', 'en'))
);
