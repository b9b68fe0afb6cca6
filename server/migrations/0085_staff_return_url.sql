-- Where moderators, observers and operators may go after an interview. Panelists have `return_url`.
alter table tenants add column staff_return_url text;
