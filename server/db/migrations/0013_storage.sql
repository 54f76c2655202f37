-- Every object in the store is owned by a row or listed here. The sweep deletes those that are due
-- (server/storage/unowned-objects.ts).
create table unowned_objects (
  storage_key text primary key,
  due_at timestamptz not null,
  -- Who writes it, where that can be known to have died: an attempt at a job.
  writer text
);
create index unowned_objects_due on unowned_objects (due_at);
create index unowned_objects_writer on unowned_objects (writer) where writer is not null;

-- However a row goes (a click, retention, the account's erasure), its objects follow. The arguments
-- are the columns that hold their keys.
create function list_unowned_objects() returns trigger language plpgsql as $$
begin
  insert into unowned_objects (storage_key, due_at)
  select to_jsonb(old) ->> tg_argv[i], '-infinity'
  from generate_series(0, tg_nargs - 1) as i
  where to_jsonb(old) ->> tg_argv[i] is not null
  on conflict (storage_key) do update set due_at = excluded.due_at;
  return null;
end
$$;
