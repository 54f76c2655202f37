-- Answers to requests that carried an Idempotency-Key, and the keys that sign tickets.

create table idempotent_requests (
  account_id uuid not null references accounts (id) on delete cascade,
  key_sha256 text not null,
  body_sha256 bytea not null,
  -- Encrypted under the caller's own key; null while the request is under way.
  answer bytea,
  created_at timestamptz not null default now(),
  -- The id of what the request makes. A request that died without an answer and is sent again has
  -- the same one, and so finds what it had made.
  effect_id uuid not null default gen_random_uuid(),
  primary key (account_id, key_sha256)
);
create index idempotent_requests_age on idempotent_requests (created_at);

create table signing_keys (
  name text primary key,
  key bytea not null,
  created_at timestamptz not null default now()
);
