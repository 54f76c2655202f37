-- Programs that registered themselves. They hold no secret: PKCE ties a code to who asked for it.
create table oauth_clients (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  redirect_uris text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
create index oauth_clients_age on oauth_clients (last_used_at);

-- Consents, until the client fetches its token: a minute, once.
create table oauth_codes (
  code_sha256 bytea primary key,
  client_id uuid not null references oauth_clients (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  redirect_uri text not null,
  challenge text not null,
  scopes text[] not null,
  monthly_limit_micros bigint not null check (monthly_limit_micros >= 0),
  expires_at timestamptz not null,
  -- A code that is brought twice was seen by somebody else: the key that it gave ends (RFC 6749,
  -- 4.1.2). So a used code stays until retention takes it.
  used_at timestamptz,
  key_id uuid references api_keys (id) on delete set null
);
create index oauth_codes_account on oauth_codes (account_id);
create index oauth_codes_key on oauth_codes (key_id);
