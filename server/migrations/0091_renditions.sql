-- The file that is shown in place of a handout's own, where browsers cannot show that one: PNG for TIFF, H.264 for other
-- videos.
alter table handouts
  add column rendition_key text,
  add column rendition_bytes bigint not null default 0;

create index handouts_by_rendition_key on handouts (rendition_key) where rendition_key is not null;
