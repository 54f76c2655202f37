-- Work in the queue: a clip or a sync is one row, a film a small graph of rows
-- (docs/decisions/0050-job-claim.md, 0101-parts.md). server/work/claim.ts has the states.
-- Jobs that are under way start again.

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

-- What a row of a film hands to those after it.
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
