-- Invoices and credit notes, and what a buyer wants to read on them. A row is written in the
-- transaction that pays or returns the money, with everything it shows: later changes of the
-- profile, the card or the seller do not change it.

create table billing_details (
  account_id uuid primary key references accounts (id) on delete cascade,
  company text not null,
  address text not null,
  country text not null check (country = '' or country ~ '^[A-Z]{2}$'),
  vat_id text not null,
  updated_at timestamptz not null
);

-- The last number of each series. The row stays locked until its transaction ends, and a number of
-- one that is undone is given to the next: no gap, no double.
create table invoice_counters (
  series text primary key,
  last int not null check (last > 0)
);

create table invoices (
  number text primary key,
  -- Null where it was numbered before there was a series.
  series text,
  ordinal int,
  kind text not null check (kind in ('invoice', 'credit_note')),
  account_id uuid not null references accounts (id),
  -- The purchase in the ledger.
  transaction_id uuid not null,
  -- The invoice that a credit note corrects.
  corrects text references invoices (number),
  issued_at timestamptz not null,
  package_name text not null,
  -- Charged, or returned; below zero when a refund failed and the charge stands again.
  amount_micros bigint not null,
  bonus_micros bigint not null,
  -- As the payment provider states it, within the amount. Null: it states none.
  tax_micros bigint,
  card_brand text,
  card_last4 text,
  is_auto_reload boolean not null,
  reference text not null,
  buyer jsonb not null,
  seller jsonb not null,
  unique (series, ordinal),
  check ((kind = 'credit_note') = (corrects is not null)),
  check ((series is null) = (ordinal is null))
);
create unique index invoices_one_of_transaction on invoices (transaction_id) where kind = 'invoice';
create index invoices_of_account on invoices (account_id, issued_at desc);
create index invoices_corrections on invoices (corrects) where corrects is not null;
