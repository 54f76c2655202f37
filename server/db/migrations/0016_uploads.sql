-- Resumable uploads under way. With a store that speaks S3, one grows as a multipart upload of the
-- store, under the key that the library's item will have; what is too small for a part lies in
-- content_parts until more has come. In a directory each PATCH leaves one part, an object of its
-- own. So any process can take the next one.
create table content_resumables (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- A project that is gone by the end of the upload means none.
  project_id uuid references projects (id) on delete set null,
  file_name text not null,
  mime_type text,
  size_bytes bigint not null check (size_bytes > 0),
  offset_bytes bigint not null default 0,
  -- Set while one process joins the parts; another may try again when it is past.
  finishing_until timestamptz,
  -- The item that the finished upload became.
  content_id uuid,
  -- Owned by this row until the item takes it over.
  storage_key text,
  multipart_id text,
  -- Numbers are never given twice: a process that was frozen cannot write over another's part.
  next_part integer not null default 1,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint content_resumables_offset check (offset_bytes between 0 and size_bytes)
);
create index content_resumables_account on content_resumables (account_id);
create index content_resumables_expiry on content_resumables (expires_at);
create trigger content_resumable_deleted after delete on content_resumables
  for each row execute function list_unowned_objects('storage_key');

create table content_parts (
  resumable_id uuid not null references content_resumables (id) on delete cascade,
  offset_bytes bigint not null,
  size_bytes bigint not null check (size_bytes > 0),
  storage_key text not null unique,
  primary key (resumable_id, offset_bytes)
);
create trigger content_part_deleted after delete on content_parts
  for each row execute function list_unowned_objects('storage_key');

create table content_multiparts (
  resumable_id uuid not null references content_resumables (id) on delete cascade,
  part_number integer not null,
  offset_bytes bigint not null,
  size_bytes bigint not null check (size_bytes > 0),
  etag text not null,
  primary key (resumable_id, part_number),
  unique (resumable_id, offset_bytes)
);

-- Room that plain uploads under way take. A resumable upload is its own reservation: its row holds
-- the size that it will have.
create table content_reservations (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  bytes bigint not null check (bytes >= 0),
  -- Renewed while bytes arrive, so that a process that dies gives the room back.
  expires_at timestamptz not null
);
create index content_reservations_account on content_reservations (account_id);
create index content_reservations_expiry on content_reservations (expires_at);
