-- What was analysed of each item, for lists: the best state of each extractor over all jobs of the
-- item. A running job comes first, then what was found, then the latest failure. Findings of a job
-- that failed as a whole cannot be read, so they do not count.
create view content_analysis as
select distinct on (j.content_id, e.extractor)
  j.content_id, e.extractor, j.id as job_id, e.progress, e.error_message,
  case
    when j.finished_at is null and e.status in ('waiting', 'running') then 'running'
    when j.status <> 'failed' and e.status in ('done', 'reused') then 'done'
    when e.status = 'skipped' then 'skipped'
    else 'failed'
  end as state
from jobs j join job_extractors e on e.job_id = j.id
where j.content_id is not null
  and not (j.status = 'canceled' and e.status = 'skipped')
order by j.content_id, e.extractor,
  case
    when j.finished_at is null and e.status in ('waiting', 'running') then 0
    when j.status <> 'failed' and e.status in ('done', 'reused') then 1
    else 2
  end,
  j.seq desc;

-- A job shows its item's present name.
create function job_names_follow_content() returns trigger language plpgsql as $$
begin
  update jobs set content_name = new.file_name where content_id = new.id;
  return null;
end
$$;
create trigger content_renamed after update of file_name on content
  for each row when (old.file_name is distinct from new.file_name)
  execute function job_names_follow_content();
