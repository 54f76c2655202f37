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

insert into unowned_objects (storage_key, due_at) select storage_key, due_at from content_garbage;
-- Attempts that were running when the older version stopped are over.
insert into unowned_objects (storage_key, due_at) select storage_key, '-infinity' from job_loose_files
on conflict (storage_key) do nothing;

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

drop trigger content_deleted on content;
drop trigger content_part_deleted on content_parts;
drop trigger job_file_deleted on job_result_files;
drop function content_objects_to_garbage;
drop function content_part_to_garbage;
drop function job_files_to_loose;
drop table content_garbage;
drop table job_loose_files;

create trigger content_deleted after delete on content
  for each row execute function list_unowned_objects('storage_key', 'thumbnail_key');
create trigger content_part_deleted after delete on content_parts
  for each row execute function list_unowned_objects('storage_key');
create trigger job_file_deleted after delete on job_result_files
  for each row execute function list_unowned_objects('storage_key');
