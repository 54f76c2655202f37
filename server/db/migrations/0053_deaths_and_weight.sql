-- A worker's death is not the job's fault: deaths count apart from attempts (server/work/claim.ts).
-- claimed_at is when the present attempt began. media_seconds is the length of what is analysed;
-- quoted_seconds counts more where there are more pixels than 8K at 60 fps has.
alter table jobs
  add column deaths int not null default 0 check (deaths >= 0),
  add column claimed_at timestamptz,
  add column media_seconds int check (media_seconds >= 0);
update jobs set media_seconds = quoted_seconds;
alter table jobs alter column media_seconds set not null;

-- What a job had found before it failed is not kept: nobody paid for it.
update job_extractors e set result_id = null from jobs j
where j.id = e.job_id and j.status = 'failed' and e.result_id is not null;
delete from job_results r
where not exists (select from job_extractors e where e.result_id = r.id);
