create table api_keys (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null,
  key_sha256 bytea not null unique,
  -- The first characters after the prefix, so that an owner can tell keys apart.
  hint text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz not null
);
create index api_keys_account on api_keys (account_id, created_at desc);
