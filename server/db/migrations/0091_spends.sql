-- What each hold counts against the spend limits of its account and its API key: the held sum while
-- a job is open, its cost from then on. Rows outlive their jobs, so that deleting a job frees
-- nothing. server/billing is the only writer.
create table spends (
  job_id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- No reference: what a deleted key spent still counts for the account.
  key_id uuid,
  -- The first day of the UTC month in which the hold was placed.
  month date not null,
  micros bigint not null check (micros >= 0)
);
create index spends_of_account on spends (account_id, month) include (micros);
create index spends_of_key on spends (key_id, month) include (micros) where key_id is not null;

-- Null: no limit. Zero: nothing may be spent.
alter table accounts add column monthly_limit_micros bigint check (monthly_limit_micros >= 0);

-- Which API key placed a job; null for a person, and for jobs from before this migration.
alter table jobs add column key_id uuid;
