-- With a store that speaks S3, a resumable upload grows as a multipart upload of the store, under the
-- key that the library's item will have. What is too small for a part lies in content_parts until
-- more has come.
alter table content_resumables
  -- Owned by this row until the item takes it over.
  add column storage_key text,
  add column multipart_id text,
  -- Numbers are never given twice: a process that was frozen cannot write over another's part.
  add column next_part integer not null default 1;

create table content_multiparts (
  resumable_id uuid not null references content_resumables (id) on delete cascade,
  part_number integer not null,
  offset_bytes bigint not null,
  size_bytes bigint not null check (size_bytes > 0),
  etag text not null,
  primary key (resumable_id, part_number),
  unique (resumable_id, offset_bytes)
);

create trigger content_resumable_deleted after delete on content_resumables
  for each row execute function list_unowned_objects('storage_key');
