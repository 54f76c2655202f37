-- judge: all pictures of a film were looked at and its speech is still being heard. One claim runs the
-- detectors that wait for no words, while other workers go on with the speech parts.
alter table jobs drop constraint jobs_stage_check;
alter table jobs add constraint jobs_stage_check check (stage in ('whole', 'parts', 'judge', 'join'));
