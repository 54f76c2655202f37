-- The sound of an item of a sync as levels, as soon as it was read: rows fill while the rest is compared.

alter table job_items add column waveform text;
