-- The language that live text is also translated to, where the engine translates.
alter table tenants add column live_text_translation text;
