-- Every movement of the provider's balance, as it was reported (server/payments/provider-movements.ts).
-- The daily comparison of books asks for the newest ones only.
create table provider_movements (
  id text primary key,
  moved_at timestamptz not null,
  -- Null: no payment, a payout for instance, or another currency.
  payment_intent_id text,
  amount_micros bigint not null,
  -- Whether what moved carries the marks of a purchase or reload; a refund carries none.
  is_marked boolean not null
);
create index provider_movements_newest on provider_movements (moved_at);
create index provider_movements_payment on provider_movements (payment_intent_id);
