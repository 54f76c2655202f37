create table api_keys (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null,
  key_sha256 bytea not null unique,
  -- The first characters after the prefix, so that an owner can tell keys apart.
  hint text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  last_used_address text,
  expires_at timestamptz not null,
  -- Limits of what the key may do and spend, and from where (CIDR); null: none.
  scopes text[],
  spend_limit_micros bigint check (spend_limit_micros >= 0),
  spend_limit_period text check (spend_limit_period in ('month', 'total')),
  allowed_addresses text[],
  -- Of a test key: the account that holds its objects.
  test_account_id uuid references accounts (id) on delete cascade,
  constraint api_keys_limit_has_period
    check ((spend_limit_micros is null) = (spend_limit_period is null))
);
create index api_keys_account on api_keys (account_id, created_at desc);

-- Published for limits of spending (server/billing).
create view key_spend_limits as
select id as key_id, spend_limit_micros as limit_micros, spend_limit_period as period
from api_keys where spend_limit_micros is not null and spend_limit_period is not null;
