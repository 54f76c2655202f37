-- Read-only links and the comments on them. server/shares is the only writer.

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
