-- proxy: the sound of the proxy. Encoding it takes longer than hearing the sound, and no speech part
-- waits for it.
alter table job_parts drop constraint job_parts_kind_check;
alter table job_parts add constraint job_parts_kind_check
  check (kind in ('prepare', 'sound', 'proxy', 'pictures', 'speech'));
