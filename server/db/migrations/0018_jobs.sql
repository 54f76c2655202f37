-- Jobs, what each extractor found, and the search index (server/jobs, results, findings, work and
-- runs write them). The life of a job and the rules of its claim are in server/work/claim.ts.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Findings of one extractor in one stretch of one file. Jobs of the same account share it.
create table job_results (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  content_sha256 text not null,
  extractor text not null,
  version text not null,
  -- In and out points and settings, as canonical JSON.
  params text not null,
  findings json not null,
  media jsonb not null,
  seconds int not null check (seconds >= 0),
  created_at timestamptz not null
);
create index job_results_reuse
  on job_results (account_id, content_sha256, extractor, version, params, created_at);

create table job_result_files (
  result_id uuid not null references job_results (id) on delete cascade,
  name text not null,
  storage_key text not null unique,
  bytes bigint not null check (bytes >= 0),
  primary key (result_id, name)
);
create trigger job_file_deleted after delete on job_result_files
  for each row execute function list_unowned_objects('storage_key');

create table jobs (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  account_id uuid not null references accounts (id) on delete cascade,
  -- A sync's work is a job too, so queue, lease, hold and charge are those of every job.
  kind text not null default 'analysis' check (kind in ('analysis', 'sync')),
  status text not null
    check (status in ('queued', 'processing', 'running', 'completed', 'failed', 'canceled')),
  batch_id uuid references batches (id) on delete set null,
  -- Which API key placed it; null for a person.
  key_id uuid,
  -- A job outlives the library's item that it was about; its results stay until their own end.
  content_id uuid constraint jobs_content references content (id) on delete set null,
  content_url text not null,
  content_name text not null,
  content_sha256 text,
  media jsonb,
  workflow text not null,
  -- Those that were set (domain/job-options.ts).
  options jsonb not null default '{}',
  price_version text not null,
  -- The ceiling that was quoted: seconds of media and money. It counts more seconds where there are
  -- more pixels than 8K at 60 fps has; media_seconds is the true length.
  quoted_seconds int not null check (quoted_seconds >= 0),
  media_seconds int not null check (media_seconds >= 0),
  held_micros bigint not null check (held_micros >= 0),
  cost_micros bigint not null default 0 check (cost_micros between 0 and held_micros),
  seconds int,
  partial boolean not null default false,
  error_code text,
  error_message text,
  review jsonb,
  -- A save that names the version it was made from is refused where another was saved meanwhile.
  review_version int not null default 0,
  retry_of uuid references jobs (id) on delete set null,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- When the present attempt began.
  claimed_at timestamptz,
  -- Taking it apart was tried, and it cannot be.
  is_indivisible boolean not null default false,
  -- Signals of two versions of the engine are never joined: the version that took the film apart.
  measures_version int not null default 0,
  check ((status in ('completed', 'failed', 'canceled')) = (finished_at is not null))
);
create index jobs_of_account on jobs (account_id, seq desc);
create index jobs_of_batch on jobs (batch_id, seq) where batch_id is not null;
create index jobs_of_content on jobs (content_id) where content_id is not null;
create index jobs_syncs on jobs (account_id, seq desc) where kind = 'sync';
create index jobs_waiting_of_account on jobs (account_id) where status = 'queued';
-- Few of all jobs are open: the list of an account, and the figures of the whole service.
create index jobs_open on jobs (account_id, status) where finished_at is null;
create index jobs_ended on jobs (finished_at) where finished_at is not null;
create index jobs_retries on jobs (retry_of) where retry_of is not null;
create index jobs_names on jobs using gin (account_id, content_name gin_trgm_ops)
  with (gin_pending_list_limit = 64);
create trigger job_of_batch_ended after update of finished_at on jobs
  for each row
  when (new.batch_id is not null and old.finished_at is null and new.finished_at is not null)
  execute function batch_job_ended();

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

-- The contents of a job that is about several.
create table job_items (
  job_id uuid not null references jobs (id) on delete cascade,
  position smallint not null,
  -- No reference: the sync still shows a clip that was deleted.
  content_id uuid not null,
  content_url text not null,
  content_name text not null,
  content_sha256 text,
  media jsonb not null,
  seconds int not null check (seconds >= 0),
  quoted_micros bigint not null check (quoted_micros >= 0),
  -- The sound as levels, as soon as it was read: rows fill while the rest is compared.
  waveform text,
  primary key (job_id, position)
);

create table job_extractors (
  job_id uuid not null references jobs (id) on delete cascade,
  extractor text not null,
  position smallint not null,
  status text not null
    check (status in ('waiting', 'running', 'done', 'skipped', 'failed', 'reused')),
  progress real not null default 0 check (progress between 0 and 1),
  micros_per_second bigint not null,
  quoted_micros bigint not null check (quoted_micros >= 0),
  -- Seconds of media that this extractor worked through.
  seconds int,
  cost_micros bigint not null default 0 check (cost_micros between 0 and quoted_micros),
  warning text,
  error_code text,
  error_message text,
  result_id uuid references job_results (id) on delete set null,
  primary key (job_id, extractor)
);
create index job_extractors_result on job_extractors (result_id) where result_id is not null;

-- A result goes with the last job that shows it.
create function job_result_unused() returns trigger language plpgsql as $$
begin
  delete from job_results r where r.id = old.result_id
    and not exists (select from job_extractors e where e.result_id = r.id);
  return null;
end
$$;
create trigger job_result_left after delete on job_extractors
  for each row when (old.result_id is not null) execute function job_result_unused();

-- Work in the queue: a clip or a sync is one row, a film a small graph of rows
-- (docs/decisions/0050-job-claim.md, 0101-parts.md). server/work/claim.ts has the
-- states.

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

-- Files that a row of a film hands to those after it.
create table work_files (
  work_id uuid not null references work (id) on delete cascade,
  name text not null,
  storage_key text not null unique,
  bytes bigint not null check (bytes >= 0),
  primary key (work_id, name)
);
create trigger work_file_deleted after delete on work_files
  for each row execute function list_unowned_objects('storage_key');

-- Findings that a person read before the job's end, which are paid for when the job is canceled. A
-- row outlives the job, which may be deleted. The rules are in server/jobs/reads.ts.
create table job_reads (
  job_id uuid not null,
  extractor text not null,
  account_id uuid not null references accounts (id) on delete cascade,
  -- Of all that the extractor is to find: 1 for findings, less for some of the words of a film.
  share double precision not null check (share > 0 and share <= 1),
  -- Speech parts whose words were read.
  parts int[] not null default '{}',
  read_at timestamptz not null,
  -- Null until the job has ended.
  paid_micros bigint check (paid_micros >= 0),
  primary key (job_id, extractor)
);
create index job_reads_of_account on job_reads (account_id, read_at);

-- The worker that runs schedules and background tasks for all (server/work/leader.ts).

create table leader (
  is_only boolean primary key default true check (is_only),
  -- Chosen by the process when it starts; null before the first.
  holder uuid,
  leased_until timestamptz not null default '-infinity'
);
insert into leader default values;

-- A person's corrections of findings: every save is a version of its own. They belong to the
-- media's bytes and stretch, as results do, so another job on the same media has them.
create table job_corrections (
  account_id uuid not null references accounts (id) on delete cascade,
  content_sha256 text not null,
  params text not null,
  version int not null check (version > 0),
  corrections jsonb not null,
  saved_at timestamptz not null,
  primary key (account_id, content_sha256, params, version)
);

-- One row for each thing that a person may look for.
create table job_passages (
  id bigint generated always as identity primary key,
  result_id uuid not null references job_results (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  -- Of those that the contract lists. Frames of a text are pages of its document.
  kind text not null,
  start_frame int not null,
  end_frame int not null,
  start_seconds double precision not null,
  text text not null,
  -- For speech: [first character, first frame, seconds] of each word.
  words json,
  shelf bigint not null,
  -- Both as it stands and by its stem, so that "cuts" finds "cut" and a name stays a name.
  terms tsvector not null generated always as
    (to_tsvector('simple', text) || to_tsvector('english', text)) stored
);
create index job_passages_result on job_passages (result_id);
create index job_passages_of_shelf on job_passages (shelf);
-- Only what people said or wrote is found by likeness. Every search reads the list of entries that
-- are not yet sorted in, so it is kept short.
create index job_passages_trigrams on job_passages using gin (account_id, text gin_trgm_ops)
  with (gin_pending_list_limit = 256) where kind in ('word', 'text', 'screen');

-- A search reads the passages of an account shelf by shelf, the newest first, and stops at the
-- first few hundred matches. PostgreSQL's full text index cannot stop early: it reads every place
-- of a word, of all accounts, and of each word with that beginning. So every term of the index
-- begins with the number of its shelf, and one look-up reads 32,768 passages of one account.
create table job_shelves (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts (id) on delete cascade
);
create index job_shelves_of_account on job_shelves (account_id, id desc);

-- The price keeps the planner from computing it for each row of the table.
create function job_shelved_terms(shelf bigint, terms tsvector) returns tsvector
language plpgsql immutable strict parallel safe cost 1000 as $$
begin
  -- A term has 2,046 bytes at most.
  if octet_length(terms::text) > 2000 then
    terms := ts_delete(terms,
      array(select lexeme from unnest(terms) where octet_length(lexeme) > 2000));
  end if;
  return regexp_replace(terms::text, '''((?:[^'']|'''')*)''',
    '''' || to_hex(shelf) || '/\1''', 'g')::tsvector;
end
$$;
-- Entries are sorted in at once: a list of unsorted ones would be read again for each shelf.
create index job_passages_terms on job_passages using gin (job_shelved_terms(shelf, terms))
  with (fastupdate = off);

-- Published for the library: the best state of each extractor over all jobs of an item. A running
-- job comes first, then findings, then the latest failure. Findings of a job that failed as a whole
-- cannot be read, so they do not count.
--
-- Grouped by account as well, so that a condition on the account reaches the rows before they are
-- grouped: a list reads its own account's jobs and nobody else's. The offset keeps the planner from
-- joining all extractors' rows, which know no account: each job's are looked up.
create view content_analysis as
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

-- Published for the library's filter.
create view content_with_speech as
select a.account_id, a.content_id
from content_analysis a
join job_extractors e on e.job_id = a.job_id and e.extractor = a.extractor
where a.extractor = 'transcription' and a.state = 'done'
  and exists (select from job_passages p
    where p.result_id = e.result_id and p.kind = 'word' offset 0);

-- Published for the history of an account's credit: a name goes with its job.
create view job_names as select id as job_id, account_id, content_name from jobs;

-- Published by batches for the report of a job's end.
create view batch_totals as
select b.id, b.account_id, b.created_at, b.canceled_at, b.finished_at, count(*) as jobs,
  count(*) filter (where j.status = 'completed') as completed,
  sum(j.cost_micros)::bigint as cost_micros
from batches b join jobs j on j.batch_id = b.id group by b.id;
