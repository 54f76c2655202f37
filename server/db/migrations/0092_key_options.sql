-- What a key may do, spend and from where; a key without these behaves as before.
alter table api_keys
  add column scopes text[],
  add column spend_limit_micros bigint check (spend_limit_micros >= 0),
  add column spend_limit_period text check (spend_limit_period in ('month', 'total')),
  -- Address ranges (CIDR) that the key may be used from.
  add column allowed_addresses text[],
  add column last_used_address text,
  -- Of a test key: the account that holds its objects.
  add column test_account_id uuid references accounts (id) on delete cascade,
  add constraint api_keys_limit_has_period
    check ((spend_limit_micros is null) = (spend_limit_period is null));

-- The objects of test keys belong to an account of their own, the twin of the one that owns the
-- keys. So every rule that keeps accounts apart keeps test and live objects apart.
alter table accounts add column test_of uuid unique references accounts (id) on delete cascade;
