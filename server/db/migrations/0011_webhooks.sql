-- Webhooks; server/webhooks/deliver.ts has the states of a delivery.

create table webhook_endpoints (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  url text not null,
  description text not null default '',
  events text[] not null,
  -- Sealed (server/webhooks/secret.ts). The previous one signs too until its time is over.
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz,
  enabled boolean not null default true,
  -- Why the service switched it off; null where a person did, or nobody.
  off_reason text,
  -- The first failure since the last success.
  failing_since timestamptz,
  created_at timestamptz not null
);
create index webhook_endpoints_of_account on webhook_endpoints (account_id, created_at);

create table webhook_events (
  -- Also the `webhook-id` of every delivery.
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  type text not null,
  -- Events of one object are delivered in the order in which they happened.
  object_id text not null,
  -- The signed text, the same for every attempt.
  body text not null,
  created_at timestamptz not null
);
create index webhook_events_of_account on webhook_events (account_id, created_at);
create index webhook_events_age on webhook_events (created_at);

create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  event_id uuid not null references webhook_events (id) on delete cascade,
  object_id text not null,
  state text not null check (state in ('waiting', 'delivered', 'failed')),
  tries int not null default 0,
  next_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  unique (endpoint_id, event_id)
);
-- An event that goes takes its deliveries along.
create index webhook_deliveries_event on webhook_deliveries (event_id);
create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, seq desc);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at)
  where state = 'waiting';
create index webhook_deliveries_order on webhook_deliveries (endpoint_id, object_id, seq)
  where state = 'waiting';

create table webhook_attempts (
  id bigint generated always as identity primary key,
  delivery_id uuid not null references webhook_deliveries (id) on delete cascade,
  at timestamptz not null,
  ms int not null,
  -- Null: no answer came.
  status int,
  -- The first characters of the answer, or why there was none.
  answer text not null
);
create index webhook_attempts_of_delivery on webhook_attempts (delivery_id, id);

-- The salt of the key that seals secrets.
create table webhook_salts (
  name text primary key,
  salt bytea not null
);
