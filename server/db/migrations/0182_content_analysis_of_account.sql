-- Group by account as well, so that a condition on the account reaches the rows before they are
-- grouped: a list reads its own account's jobs and nobody else's. The offset keeps the planner from
-- joining all extractors' rows, which know no account: each job's are looked up.
create or replace view content_analysis as
select distinct on (j.account_id, j.content_id, e.extractor)
  j.content_id, e.extractor, j.id as job_id, e.progress, e.error_message,
  case
    when j.finished_at is null and e.status in ('waiting', 'running') then 'running'
    when j.status <> 'failed' and e.status in ('done', 'reused') then 'done'
    when e.status = 'skipped' then 'skipped'
    else 'failed'
  end as state,
  j.account_id
from jobs j, lateral (select * from job_extractors e where e.job_id = j.id offset 0) e
where j.content_id is not null
  and not (j.status = 'canceled' and e.status = 'skipped')
order by j.account_id, j.content_id, e.extractor,
  case
    when j.finished_at is null and e.status in ('waiting', 'running') then 0
    when j.status <> 'failed' and e.status in ('done', 'reused') then 1
    else 2
  end,
  j.seq desc;
