-- What a person read of a job before its end, which is paid for when the job is canceled. It outlives
-- the job, which may be deleted. server/jobs is its only writer; the rules are told in
-- server/jobs/reads.ts.
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
