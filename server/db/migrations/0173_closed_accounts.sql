-- Changes of an account are heard on a channel of its own (server/db/notify.ts).
create or replace function batch_job_ended() returns trigger language plpgsql as $$
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

-- An event that goes takes its deliveries along.
create index webhook_deliveries_event on webhook_deliveries (event_id);

-- Few of all jobs are open: the list of an account, and the figures of the whole service.
create index jobs_open on jobs (account_id, status) where finished_at is null;

-- An account that is being erased takes nothing new (server/accounts/lock-account.ts).
alter table accounts add column closed_at timestamptz;
