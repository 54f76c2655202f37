-- A film's job is done in parts that any worker takes (docs/decisions/0050-job-claim.md, 0101-parts.md).
-- server/jobs is their only writer; the life of a part is told in server/work/claim-part.ts.

alter table jobs
  -- whole: one claim does everything that is left. parts: its parts are being measured, and the job
  -- itself is nobody's. join: all of them are done, and one claim joins them.
  add column stage text not null default 'whole' check (stage in ('whole', 'parts', 'join')),
  add column left_parts int not null default 0 check (left_parts >= 0),
  -- Taking it apart was tried, and it cannot be.
  add column is_indivisible boolean not null default false;

do $$
declare
  old_name text;
begin
  select conname into strict old_name from pg_constraint
  where conrelid = 'jobs'::regclass and contype = 'c'
    and pg_get_constraintdef(oid) like '%leased_until%';
  execute format('alter table jobs drop constraint %I', old_name);
end
$$;
alter table jobs add constraint jobs_leased_while_claimed
  check ((status in ('processing', 'running')) = (leased_until is not null or stage = 'parts'));

create table job_parts (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  job_id uuid not null references jobs (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  -- prepare is done when the job is taken apart; its file is the film that the others read.
  kind text not null check (kind in ('prepare', 'sound', 'pictures', 'speech')),
  -- Among those of its kind.
  position int not null,
  status text not null check (status in ('waiting', 'leased', 'done')),
  -- Seconds of media, for the progress.
  seconds real not null,
  progress real not null default 0 check (progress between 0 and 1),
  turn bigint not null,
  attempt int not null default 0,
  deaths int not null default 0,
  fence bigint not null default 0,
  leased_until timestamptz,
  not_before timestamptz,
  last_fault text,
  unique (job_id, kind, position),
  check ((status = 'leased') = (leased_until is not null))
);
create index job_parts_waiting on job_parts (turn, deaths, seq) where status = 'waiting';
create index job_parts_leased on job_parts (leased_until) where leased_until is not null;
create index job_parts_turns on job_parts (account_id, turn desc);

create table job_part_files (
  part_id uuid not null references job_parts (id) on delete cascade,
  name text not null,
  storage_key text not null unique,
  bytes bigint not null check (bytes >= 0),
  primary key (part_id, name)
);
create trigger job_part_file_deleted after delete on job_part_files
  for each row execute function list_unowned_objects('storage_key');
