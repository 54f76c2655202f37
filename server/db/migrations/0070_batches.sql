-- Batches: jobs that were placed by one confirmation. server/batches is the only writer.

create table batches (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  workflow text not null,
  -- Jobs that have not ended yet. The end of the last one ends the batch.
  open_jobs int not null check (open_jobs >= 0),
  canceled_at timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((open_jobs = 0) = (finished_at is not null))
);
create index batches_of_account on batches (account_id, created_at desc, id);

alter table jobs add column batch_id uuid references batches (id) on delete set null;
create index jobs_of_batch on jobs (batch_id, seq) where batch_id is not null;

-- Counts in the transaction that ends a job, so a batch ends exactly once however its jobs end.
create function batch_job_ended() returns trigger language plpgsql as $$
declare
  ended batches;
begin
  update batches set
    open_jobs = open_jobs - 1,
    finished_at = case when open_jobs = 1 then new.finished_at end
  where id = new.batch_id
  returning * into ended;
  perform pg_notify(
    'account_changed',
    json_build_object('accountId', ended.account_id, 'batchId', ended.id)::text
  );
  return null;
end
$$;
create trigger job_of_batch_ended after update of finished_at on jobs
  for each row
  when (new.batch_id is not null and old.finished_at is null and new.finished_at is not null)
  execute function batch_job_ended();
