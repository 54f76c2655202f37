-- The content library.

create table content (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  -- One project or none. A deleted project leaves its items in the library.
  project_id uuid references projects (id) on delete set null,
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
create index content_of_project on content (project_id, created_at desc, id desc)
  where project_id is not null;
create index content_by_name on content (account_id, lower(file_name), id);
create trigger content_deleted after delete on content
  for each row execute function list_unowned_objects('storage_key', 'thumbnail_key');

-- Published for projects; a null project holds what is in none.
create view project_items as
select account_id, project_id, count(*) as item_count,
  coalesce(sum((media->>'duration')::double precision), 0) as seconds
from content group by account_id, project_id;
