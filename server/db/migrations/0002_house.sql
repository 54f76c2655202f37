-- Answers to requests that carried an Idempotency-Key.

create table idempotent_requests (
  account_id uuid not null references accounts (id) on delete cascade,
  key text not null,
  endpoint text not null,
  body_sha256 bytea not null,
  status int,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotent_requests_age on idempotent_requests (created_at);
