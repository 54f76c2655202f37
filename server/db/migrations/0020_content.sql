-- The content library. server/content is the only writer of these tables.

create table content (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  content_type text not null check (content_type in ('upload', 'youtube', 'url')),
  file_name text not null check (length(file_name) between 1 and 255),
  canonical_url text not null,
  -- Where the bytes and the still of an upload lie.
  storage_key text unique,
  thumbnail_key text unique,
  file_size bigint check (file_size >= 0),
  sha256 bytea check (length(sha256) = 32),
  mime_type text,
  media jsonb,
  check_state text not null
    check (check_state in ('ready', 'checking', 'unreachable', 'not_media', 'refused')),
  check_message text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  constraint content_upload_has_bytes check (
    (content_type = 'upload')
    = (storage_key is not null and sha256 is not null and file_size is not null)
  )
);

-- The same bytes, and the same address, are once in a library.
create unique index content_bytes on content (account_id, sha256) where sha256 is not null;
create unique index content_address on content (account_id, canonical_url);
create index content_newest on content (account_id, created_at desc, id desc);
create index content_last_used on content (last_used_at);

-- Every object in storage is owned by a row or listed here; what is listed is deleted once due. An
-- upload lists its object before the first byte and takes it off together with the row's insert.
create table content_garbage (
  storage_key text primary key,
  due_at timestamptz not null
);
create index content_garbage_due on content_garbage (due_at);

-- However a row goes (a click, retention, the account's erasure), its objects follow.
create function content_objects_to_garbage() returns trigger language plpgsql as $$
begin
  insert into content_garbage (storage_key, due_at)
  select key, '-infinity' from unnest(array[old.storage_key, old.thumbnail_key]) as key
  where key is not null
  on conflict (storage_key) do update set due_at = excluded.due_at;
  return null;
end
$$;
create trigger content_deleted after delete on content
  for each row execute function content_objects_to_garbage();

-- Resumable uploads under way. Each PATCH leaves one part, an object of its own, so that any process
-- can take the next one.
create table content_resumables (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  file_name text not null,
  mime_type text,
  size_bytes bigint not null check (size_bytes > 0),
  offset_bytes bigint not null default 0,
  -- Set while one process joins the parts; another may try again when it is past.
  finishing_until timestamptz,
  -- What the finished upload became.
  content_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint content_resumables_offset check (offset_bytes between 0 and size_bytes)
);
create index content_resumables_account on content_resumables (account_id);
create index content_resumables_expiry on content_resumables (expires_at);

create table content_parts (
  resumable_id uuid not null references content_resumables (id) on delete cascade,
  offset_bytes bigint not null,
  size_bytes bigint not null check (size_bytes > 0),
  storage_key text not null unique,
  primary key (resumable_id, offset_bytes)
);

create function content_part_to_garbage() returns trigger language plpgsql as $$
begin
  insert into content_garbage (storage_key, due_at) values (old.storage_key, '-infinity')
  on conflict (storage_key) do update set due_at = excluded.due_at;
  return null;
end
$$;
create trigger content_part_deleted after delete on content_parts
  for each row execute function content_part_to_garbage();
