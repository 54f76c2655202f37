-- Invoices and credit notes, and what a buyer wants to read on them. A paper is written in the
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
create table paper_counters (
  series text primary key,
  last int not null check (last > 0)
);

create table papers (
  number text primary key,
  -- Null in papers that were numbered before there was a series.
  series text,
  ordinal int,
  kind text not null check (kind in ('invoice', 'credit_note')),
  account_id uuid not null references accounts (id),
  -- The purchase in the ledger.
  transaction_id uuid not null,
  -- The invoice that a credit note corrects.
  corrects text references papers (number),
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
create unique index papers_one_invoice on papers (transaction_id) where kind = 'invoice';
create index papers_of_account on papers (account_id, issued_at desc);
create index papers_corrections on papers (corrects) where corrects is not null;

-- Earlier purchases keep the number that their receipts have shown.
insert into papers (number, kind, account_id, transaction_id, issued_at, package_name, amount_micros,
  bonus_micros, is_auto_reload, reference, buyer, seller)
select 'CI-' || extract(year from t.created_at at time zone 'UTC') || '-' || upper(left(t.id::text, 8)),
  'invoice', t.account_id, t.id, t.created_at, coalesce(t.metadata ->> 'credit_package_name', ''),
  paid.granted_micros, coalesce(bonus.granted_micros, 0), t.kind = 'reload',
  substr(t.key, length(t.kind) + 2),
  jsonb_build_object('name', a.name, 'email', a.email, 'company', '', 'address', '', 'country', '',
    'vat_id', ''),
  jsonb_build_object('name', 'CutIndex', 'address', '', 'tax_id', '')
from ledger_transactions t
join accounts a on a.id = t.account_id
join ledger_lots paid on paid.opened_by = t.id and paid.kind = 'paid'
left join ledger_lots bonus on bonus.opened_by = t.id and bonus.kind = 'bonus'
where t.kind in ('purchase', 'reload')
on conflict do nothing;
