-- The beginning of a segment is stored by the service's clock, as every other time. It was the provider's before.
update recording_segments
   set started_at = started_at - clock_offset_ms * interval '1 millisecond'
 where started_at is not null
   and clock_offset_ms <> 0;
