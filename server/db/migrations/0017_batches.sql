-- Batches: jobs that were placed by one confirmation.

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

-- Counts in the transaction that ends a job, so a batch ends exactly once however its jobs end.
-- Changes of an account are heard on a channel of its own (server/db/notify.ts).
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
    'account_changed:' || ended.account_id,
    json_build_object('accountId', ended.account_id, 'batchId', ended.id)::text
  );
  return null;
end
$$;
