-- voices: who speaks when, by the sound alone. It needs no words, so one worker does it while others hear
-- the speech.
alter table job_parts drop constraint job_parts_kind_check;
alter table job_parts add constraint job_parts_kind_check
  check (kind in ('prepare', 'sound', 'proxy', 'voices', 'pictures', 'speech'));
