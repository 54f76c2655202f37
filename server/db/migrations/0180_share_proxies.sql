-- What links play: rendered from the played ranges alone. server/shares is the only writer
-- (server/shares/proxies.ts has the states).

create table share_proxies (
  id uuid primary key default gen_random_uuid(),
  share_id uuid not null references shares (id) on delete cascade,
  -- Of the cut when it was asked for.
  version int not null,
  -- What is rendered: a RenderOrder whose files are keys of the store.
  plan jsonb not null,
  plan_sha256 bytea not null check (length(plan_sha256) = 32),
  seconds double precision not null check (seconds > 0),
  state text not null check (state in ('waiting', 'making', 'ready', 'failed')),
  progress real not null default 0,
  -- So far while it is made.
  bytes bigint not null default 0,
  -- What was made: a RenderedProxy.
  made jsonb,
  attempt int not null default 0,
  fence bigint not null default 0,
  leased_until timestamptz,
  began_at timestamptz,
  last_fault text,
  created_at timestamptz not null,
  unique (share_id, plan_sha256),
  check ((state = 'making') = (leased_until is not null)),
  check ((state = 'ready') = (made is not null))
);
create index share_proxies_open on share_proxies (seconds, created_at)
  where state in ('waiting', 'making');

-- How long all that an account asked for on a day plays, so that it renders without end for nobody.
create table share_days (
  account_id uuid not null references accounts (id) on delete cascade,
  day date not null,
  seconds double precision not null,
  primary key (account_id, day)
);

create table share_proxy_files (
  proxy_id uuid not null references share_proxies (id) on delete cascade,
  name text not null,
  storage_key text not null unique,
  bytes bigint not null check (bytes >= 0),
  primary key (proxy_id, name)
);
create trigger share_proxy_file_deleted after delete on share_proxy_files
  for each row execute function list_unowned_objects('storage_key');
