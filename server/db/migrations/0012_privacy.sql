-- Archives of an account's data that somebody asked for. The file in the store is listed as garbage
-- from the start: the sweep deletes it when its day is over.
create table data_exports (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  status text not null check (status in ('queued', 'ready')),
  storage_key text,
  size_bytes bigint,
  created_at timestamptz not null,
  expires_at timestamptz,
  check (num_nulls(storage_key, size_bytes, expires_at)
    = case status when 'ready' then 0 else 3 end)
);
create unique index data_exports_one_queued on data_exports (account_id) where status = 'queued';
create index data_exports_age on data_exports (created_at);
