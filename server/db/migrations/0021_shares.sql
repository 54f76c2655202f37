-- Read-only links and the comments on them.

create table shares (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  -- Only the hash of the link's 256 random bits is kept.
  token_sha256 bytea not null unique check (length(token_sha256) = 32),
  cut_id uuid references cuts (id) on delete cascade,
  job_id uuid references jobs (id) on delete cascade,
  password_hash text,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null,
  check ((cut_id is null) <> (job_id is null))
);
create index shares_of_account on shares (account_id, created_at desc, id);
create index shares_of_cut on shares (cut_id) where cut_id is not null;
create index shares_of_job on shares (job_id) where job_id is not null;

create table share_comments (
  id uuid primary key default gen_random_uuid(),
  share_id uuid not null references shares (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  reply_to uuid references share_comments (id) on delete cascade,
  name text not null check (length(name) between 1 and 80),
  text text not null check (length(text) between 1 and 4000),
  at_frame bigint not null check (at_frame >= 0),
  out_frame bigint check (out_frame > at_frame),
  version int not null,
  is_editor boolean not null,
  -- Of the secret that the writer's device got; null for the editor's own.
  device_sha256 bytea,
  done_at timestamptz,
  created_at timestamptz not null,
  edited_at timestamptz
);
create index share_comments_of_share on share_comments (share_id, at_frame, created_at, id);
create index share_comments_of_account on share_comments (account_id);
-- A comment that is sent again after a lost answer is the same comment: its secret names it.
create unique index share_comments_of_device on share_comments (share_id, device_sha256)
  where device_sha256 is not null;

-- Published for exports of a cut or of findings.
create view shared_comments as
select n.*, s.cut_id, s.job_id from share_comments n join shares s on s.id = n.share_id;

-- Networks that have entered the right password of a link: no guesses of others refuse them.

create table share_readers (
  share_id uuid not null references shares (id) on delete cascade,
  -- Of the network, keyed with the password's hash: nobody reads an address out of it.
  network_sha256 bytea not null check (length(network_sha256) = 32),
  primary key (share_id, network_sha256)
);

-- Proxies that links play: rendered from the played ranges alone. server/shares/proxies.ts has the
-- states.

create table share_proxies (
  id uuid primary key default gen_random_uuid(),
  share_id uuid not null references shares (id) on delete cascade,
  -- Of the cut when it was asked for.
  version int not null,
  -- A RenderOrder whose files are keys of the store.
  plan jsonb not null,
  plan_sha256 bytea not null check (length(plan_sha256) = 32),
  seconds double precision not null check (seconds > 0),
  state text not null check (state in ('waiting', 'making', 'ready', 'failed')),
  progress real not null default 0,
  -- So far while it is made.
  bytes bigint not null default 0,
  -- A RenderedProxy.
  made jsonb,
  attempt int not null default 0,
  fence bigint not null default 0,
  began_at timestamptz,
  last_fault text,
  created_at timestamptz not null,
  unique (share_id, plan_sha256),
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
