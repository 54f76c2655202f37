-- Jobs, what each extractor found, and the search index. server/jobs is their only writer; the life
-- of a job and the rules of its claim are told in server/work/claim.ts.

create extension if not exists pg_trgm;

-- What one extractor found in one stretch of one file. Jobs of the same account share it.
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

create table jobs (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  account_id uuid not null references accounts (id) on delete cascade,
  status text not null
    check (status in ('queued', 'processing', 'running', 'completed', 'failed', 'canceled')),
  content_id uuid,
  content_url text not null,
  content_name text not null,
  content_sha256 text,
  media jsonb,
  workflow text not null,
  in_seconds double precision check (in_seconds >= 0),
  out_seconds double precision check (out_seconds > 0),
  price_version text not null,
  -- The ceiling that was quoted: seconds of media and money.
  quoted_seconds int not null check (quoted_seconds >= 0),
  held_micros bigint not null check (held_micros >= 0),
  cost_micros bigint not null default 0 check (cost_micros between 0 and held_micros),
  seconds int,
  partial boolean not null default false,
  error_code text,
  error_message text,
  review jsonb,
  retry_of uuid references jobs (id) on delete set null,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- The place in the queue; null once a job that never started has left it.
  turn bigint,
  attempt int not null default 0,
  -- Grows with every claim and every taking away; a write under an older fence is refused.
  fence bigint not null default 0,
  leased_until timestamptz,
  not_before timestamptz,
  last_fault text,
  check ((status in ('completed', 'failed', 'canceled')) = (finished_at is not null)),
  check ((status in ('processing', 'running')) = (leased_until is not null))
);
create index jobs_of_account on jobs (account_id, seq desc);
create index jobs_of_content on jobs (content_id) where content_id is not null;
create index jobs_turns_of_account on jobs (account_id, turn desc) where turn is not null;
create index jobs_turns_taken on jobs (turn desc) where started_at is not null;
create index jobs_waiting on jobs (turn, seq) where status = 'queued';
create index jobs_waiting_of_account on jobs (account_id) where status = 'queued';
create index jobs_leased on jobs (leased_until) where leased_until is not null;
create index jobs_ended on jobs (finished_at) where finished_at is not null;
create index jobs_retries on jobs (retry_of) where retry_of is not null;

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

-- Objects of the store that are to be removed: written by an attempt that has not committed, or left
-- by a result that is gone. A committed result's objects are not here.
create table job_loose_files (
  storage_key text primary key,
  -- The attempt that writes it; null when nobody does.
  job_id uuid,
  fence bigint,
  created_at timestamptz not null
);

-- However a result goes (a click, retention, the account's erasure), its objects follow.
create function job_files_to_loose() returns trigger language plpgsql as $$
begin
  insert into job_loose_files (storage_key, created_at) values (old.storage_key, now())
  on conflict (storage_key) do nothing;
  return null;
end
$$;
create trigger job_file_deleted after delete on job_result_files
  for each row execute function job_files_to_loose();

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

-- One row for each thing that a person may look for.
create table job_passages (
  id bigint generated always as identity primary key,
  result_id uuid not null references job_results (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  kind text not null check (kind in ('word', 'shot', 'talking', 'cutpoint')),
  start_frame int not null,
  end_frame int not null,
  start_seconds double precision not null,
  text text not null,
  -- For speech: [first character, first frame, seconds] of each word.
  words json,
  -- Both as it stands and by its stem, so that "cuts" finds "cut" and a name stays a name.
  terms tsvector not null generated always as
    (to_tsvector('simple', text) || to_tsvector('english', text)) stored
);
create index job_passages_terms on job_passages using gin (terms);
create index job_passages_trigrams on job_passages using gin (text gin_trgm_ops);
create index job_passages_result on job_passages (result_id);
