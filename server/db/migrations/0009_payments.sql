-- Dealings with the payment provider. No card number, no name, no address is kept:
-- ids, and what a card's owner needs to recognise it.

-- The provider's customer of an account.
create table payment_customers (
  account_id uuid primary key references accounts (id) on delete cascade,
  customer_id text not null unique,
  created_at timestamptz not null
);

-- One row for each checkout. Price and bonus are pinned here: whatever the catalogue says later,
-- this is what the payment buys.
create table purchases (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id),
  package_id text not null,
  package_name text not null,
  price_micros bigint not null check (price_micros > 0),
  bonus_micros bigint not null check (bonus_micros >= 0),
  bonus_percent smallint not null check (bonus_percent between 0 and 100),
  status text not null check (status in ('pending', 'credited', 'canceled')),
  -- Null until the provider has answered.
  checkout_session_id text unique,
  payment_intent_id text unique,
  -- Went back to the card, by the provider's last word. An answer of the provider is written only
  -- if none to a later question was (server/payments/settle-refunds-and-disputes.ts).
  refunded_micros bigint not null default 0 check (refunded_micros >= 0),
  disputed_micros bigint not null default 0,
  reversals_seen_at timestamptz not null default '-infinity',
  created_at timestamptz not null,
  settled_at timestamptz,
  -- When the reconciler last asked the provider.
  checked_at timestamptz,
  check ((status = 'pending') = (settled_at is null)),
  check (status <> 'credited' or checkout_session_id is not null)
);
create index purchases_account on purchases (account_id, created_at desc);
create index purchases_pending on purchases (created_at) where status = 'pending';

-- Events of the provider by their id. The content stays with the provider, who gives it again. An
-- event that cannot be processed is tried again ever more rarely and is set aside (dead_at) after
-- too many tries, with the reason. `operator events` lists and replays those.
create table payment_events (
  event_id text primary key,
  type text not null,
  object_id text,
  received_at timestamptz not null,
  processed_at timestamptz,
  outcome text,
  tries int not null default 0,
  last_error text,
  next_try_at timestamptz,
  dead_at timestamptz,
  check ((processed_at is null) = (outcome is null)),
  constraint payment_events_dead_is_open check (dead_at is null or processed_at is null)
);
create index payment_events_due on payment_events (next_try_at)
  where processed_at is null and dead_at is null;
create index payment_events_dead on payment_events (dead_at) where dead_at is not null;
create index payment_events_age on payment_events (received_at);

create table cards (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  payment_method_id text not null unique,
  -- The provider's own hash of the number: the same card added twice is one card.
  fingerprint text not null,
  brand text not null,
  last4 text not null,
  exp_month smallint not null check (exp_month between 1 and 12),
  exp_year smallint not null,
  is_default boolean not null,
  created_at timestamptz not null,
  unique (account_id, fingerprint)
);
create unique index cards_one_default on cards (account_id) where is_default;

-- One row for each attempt of auto-reload, with what it charges and what it gives.
create table reloads (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id),
  package_id text not null,
  package_name text not null,
  price_micros bigint not null check (price_micros > 0),
  bonus_micros bigint not null check (bonus_micros >= 0),
  bonus_percent smallint not null check (bonus_percent between 0 and 100),
  customer_id text not null,
  -- The card may be removed while the charge is under way, so no reference.
  card_id uuid not null,
  payment_method_id text not null,
  status text not null check (status in ('pending', 'credited', 'declined')),
  payment_intent_id text unique,
  decline_code text,
  refunded_micros bigint not null default 0 check (refunded_micros >= 0),
  disputed_micros bigint not null default 0,
  reversals_seen_at timestamptz not null default '-infinity',
  created_at timestamptz not null,
  settled_at timestamptz,
  check ((status = 'pending') = (settled_at is null)),
  check (status <> 'credited' or payment_intent_id is not null)
);
-- One attempt in flight for an account, whoever starts it wherever.
create unique index reloads_one_in_flight on reloads (account_id) where status = 'pending';
create index reloads_account on reloads (account_id, created_at desc);

-- Memory of auto-reload between attempts.
create table auto_reload_states (
  account_id uuid primary key references accounts (id) on delete cascade,
  declines_in_a_row smallint not null default 0 check (declines_in_a_row >= 0),
  -- The card that was declined; another default card starts afresh.
  declined_card_id uuid,
  not_before timestamptz,
  -- A check that came too early is made up for at this time.
  recheck_at timestamptz
);
create index auto_reload_states_due on auto_reload_states (recheck_at)
  where recheck_at is not null;

-- Every movement of the provider's balance, as it was reported
-- (server/payments/provider-movements.ts). The daily comparison of books asks for the newest ones.
create table provider_movements (
  id text primary key,
  moved_at timestamptz not null,
  -- Null: no payment, a payout for instance, or another currency.
  payment_intent_id text,
  amount_micros bigint not null,
  -- Carries the marks of a purchase or reload; a refund carries none.
  is_marked boolean not null
);
create index provider_movements_newest on provider_movements (moved_at);
create index provider_movements_payment on provider_movements (payment_intent_id);
