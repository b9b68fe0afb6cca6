-- How a tenant's rooms look. Null is the service's own.
alter table tenants
  add column brand_name   text,
  -- A data URL: it reaches pages in the body that lets them in.
  add column brand_logo   text,
  add column brand_color  text,
  add column help_contact text,
  add constraint tenants_brand_color_is_a_colour check (brand_color ~ '^#[0-9a-f]{6}$'),
  add constraint tenants_brand_logo_is_a_data_url
    check (brand_logo ~ '^data:image/(png|jpeg|webp);base64,' and length(brand_logo) <= 50000);
