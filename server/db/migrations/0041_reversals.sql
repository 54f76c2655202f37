-- What of a payment went back to its card, by the provider's last word: refunds and disputes apart.
-- A look at the provider is written only if none that began later was (settle-reversal.ts).
alter table purchases
  add column disputed_micros bigint not null default 0,
  add column reversals_seen_at timestamptz not null default '-infinity';
alter table reloads
  add column disputed_micros bigint not null default 0,
  add column reversals_seen_at timestamptz not null default '-infinity';

-- An event that cannot be processed is tried again ever more rarely and is set aside (dead_at) after
-- too many tries, with the reason. `operator events` lists and replays those.
alter table payment_events
  add column object_id text,
  add column tries int not null default 0,
  add column last_error text,
  add column next_try_at timestamptz,
  add column dead_at timestamptz,
  add constraint payment_events_dead_is_open check (dead_at is null or processed_at is null);
update payment_events set next_try_at = received_at where processed_at is null;
drop index payment_events_open;
create index payment_events_due on payment_events (next_try_at)
  where processed_at is null and dead_at is null;
create index payment_events_dead on payment_events (dead_at) where dead_at is not null;
