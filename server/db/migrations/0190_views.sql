-- Views that nouns publish for nouns below them, which read no table of a floor above.

-- server/api-keys, for limits of spending.
create view key_spend_limits as
select id as key_id, spend_limit_micros as limit_micros, spend_limit_period as period
from api_keys where spend_limit_micros is not null and spend_limit_period is not null;

-- server/content, for projects; a null project holds what is in none.
create view project_items as
select account_id, project_id, count(*) as item_count,
  coalesce(sum((media->>'duration')::double precision), 0) as seconds
from content group by account_id, project_id;

-- server/jobs, for the history of an account's credit: a name goes with its job.
create view job_names as select id as job_id, account_id, content_name from jobs;

-- server/results, for the library's filter.
create view content_with_speech as
select a.account_id, a.content_id
from content_analysis a
join job_extractors e on e.job_id = a.job_id and e.extractor = a.extractor
where a.extractor = 'transcription' and a.state = 'done'
  and exists (select from job_passages p
    where p.result_id = e.result_id and p.kind = 'word' offset 0);

-- server/batches, for the report of a job's end.
create view batch_totals as
select b.id, b.account_id, b.created_at, b.canceled_at, b.finished_at, count(*) as jobs,
  count(*) filter (where j.status = 'completed') as completed,
  sum(j.cost_micros)::bigint as cost_micros
from batches b join jobs j on j.batch_id = b.id group by b.id;

-- server/shares, for exports of a cut or of findings.
create view shared_comments as
select n.*, s.cut_id, s.job_id from share_comments n join shares s on s.id = n.share_id;
