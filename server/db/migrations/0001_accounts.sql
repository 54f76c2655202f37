-- Accounts, the provider identities that open them, sign-ins under way, and sessions.

create table accounts (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  email_verified boolean not null default false,
  username text not null,
  name text,
  picture text,
  created_at timestamptz not null default now(),
  -- Set once for all work; only the fields that were set are there.
  preferences jsonb not null default '{}',
  -- Null: no limit. Zero: nothing may be spent.
  monthly_limit_micros bigint check (monthly_limit_micros >= 0),
  -- Auto-reload settings live with the account; server/payments is their only writer.
  auto_reload_enabled boolean not null default false,
  auto_reload_threshold_micros bigint,
  auto_reload_package_id text,
  auto_reload_consent_accepted_at timestamptz,
  auto_reload_off_reason text,
  -- The objects of test keys belong to an account of their own, the twin of the one that owns the
  -- keys. So every rule that keeps accounts apart keeps test and live objects apart.
  test_of uuid unique references accounts (id) on delete cascade,
  -- An account that is being erased takes nothing new (server/accounts/lock-account.ts).
  closed_at timestamptz
);
-- One verified address belongs to one account; unverified ones may repeat.
create unique index accounts_verified_email on accounts (lower(email)) where email_verified;
create index accounts_email on accounts (lower(email));

create table identities (
  provider text not null check (provider in ('github', 'google')),
  subject text not null,
  account_id uuid not null references accounts (id) on delete cascade,
  email text,
  email_verified boolean not null,
  created_at timestamptz not null default now(),
  primary key (provider, subject)
);
create index identities_account on identities (account_id);

create table sign_ins (
  state_sha256 bytea primary key,
  provider text not null,
  cookie_sha256 bytea not null,
  code_verifier text not null,
  nonce text,
  frontend_url text not null,
  expires_at timestamptz not null
);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  token_sha256 bytea not null unique,
  kind text not null check (kind in ('redirect', 'session')),
  provider text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz not null default now(),
  user_agent text,
  address text,
  -- Of the cookie of the browser that began the sign-in; null for other sessions.
  browser_sha256 bytea
);
create index sessions_account on sessions (account_id);

-- Browsers and networks that an account has signed in from, as hashes: a sign-in from a place that
-- is not among them is reported by e-mail.
create table sign_in_places (
  account_id uuid not null references accounts (id) on delete cascade,
  place_sha256 bytea not null,
  last_seen_at timestamptz not null,
  primary key (account_id, place_sha256)
);
create index sign_in_places_age on sign_in_places (last_seen_at);
