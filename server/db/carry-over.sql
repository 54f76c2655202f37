-- Turns a database whose last migration is 0188_ended_holds.sql into the baseline of 1.0.0
-- (server/db/carry-over.ts).

-- All options of a job in one object (domain/job-options.ts); one that is not set is absent.
alter table jobs add column options jsonb not null default '{}';
update jobs set options = jsonb_strip_nulls(jsonb_build_object(
  'in', in_seconds, 'out', out_seconds, 'speakers', speakers, 'language', language,
  'translate', nullif(translate, false), 'vocabulary', nullif(vocabulary, '[]')));
alter table jobs
  drop column in_seconds, drop column out_seconds, drop column speakers,
  drop column language, drop column translate, drop column vocabulary;

-- The contract lists the kinds of passages (`passageKinds`).
alter table job_passages drop constraint job_passages_kind_check;

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

-- Work in the queue: jobs that are under way start again.
create table work (
  -- Of `whole`: the job's.
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  job_id uuid not null references jobs (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  -- whole: all of a clip or a sync, or the preparation of a film, which places the other rows.
  kind text not null check (kind in
    ('whole', 'sound', 'proxy', 'frames', 'voices', 'speech', 'analyse-frames', 'join')),
  -- Among those of its kind.
  position int not null default 0,
  -- Kinds of the same job that are done before this row can be claimed.
  after text[] not null default '{}',
  state text not null default 'waiting' check (state in ('waiting', 'leased', 'done')),
  -- Seconds of media, for the progress.
  seconds real not null default 0,
  progress real not null default 0 check (progress between 0 and 1),
  turn bigint not null,
  attempt int not null default 0,
  deaths int not null default 0 check (deaths >= 0),
  -- Grows with every claim and every taking away; a write under an older fence is refused.
  fence bigint not null default 0,
  leased_until timestamptz,
  not_before timestamptz,
  last_fault text,
  unique (job_id, kind, position),
  check ((state = 'leased') = (leased_until is not null))
);
create index work_waiting on work (turn, (kind = 'whole'), deaths, seq) where state = 'waiting';
create index work_leased on work (leased_until) where leased_until is not null;
create index work_turns on work (account_id, turn desc);
create index work_turns_taken on work (turn desc) where state <> 'waiting';

-- Files that a row of a film hands to the rows after it.
create table work_files (
  work_id uuid not null references work (id) on delete cascade,
  name text not null,
  storage_key text not null unique,
  bytes bigint not null check (bytes >= 0),
  primary key (work_id, name)
);
create trigger work_file_deleted after delete on work_files
  for each row execute function list_unowned_objects('storage_key');

insert into work (id, job_id, account_id, kind, turn)
  select id, id, account_id, 'whole',
    row_number() over (partition by account_id order by turn, deaths, seq)
  from jobs where finished_at is null;
-- Their files and what their workers were writing is due at once.
delete from job_part_files;
update unowned_objects set due_at = '-infinity' where writer is not null;
drop table job_part_files, job_parts;

alter table jobs
  drop column turn, drop column attempt, drop column deaths, drop column fence,
  drop column leased_until, drop column not_before, drop column last_fault,
  drop column stage, drop column left_parts;
update jobs set status = 'queued' where finished_at is null;

alter table keeper rename to leader;

-- Tasks of pg-boss hold these; a row is due, or it is not.
alter table share_proxies drop column leased_until;
alter table webhook_deliveries drop column claimed_until;
alter table share_proxies rename constraint share_proxies_check1 to share_proxies_check;

alter table papers rename to invoices;
alter table paper_counters rename to invoice_counters;
alter index papers_one_invoice rename to invoices_one_of_transaction;
do $$
declare
  old record;
begin
  for old in
    select conrelid::regclass as owner, conname as name from pg_constraint
    where conname ~ '^(paper|keeper)' and connamespace = 'public'::regnamespace
  loop
    execute format('alter table %s rename constraint %I to %I', old.owner, old.name,
      regexp_replace(regexp_replace(old.name, '^paper', 'invoice'), '^keeper', 'leader'));
  end loop;
  for old in
    select indexname as name from pg_indexes
    where schemaname = 'public' and starts_with(indexname, 'paper')
  loop
    execute format('alter index %I rename to %I', old.name,
      regexp_replace(old.name, '^paper', 'invoice'));
  end loop;
end
$$;
