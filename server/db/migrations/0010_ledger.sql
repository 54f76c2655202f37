-- The ledger: double entry, append-only, integer micro-dollars. server/billing/ledger.ts explains
-- the mechanism; this file is what makes a breach of it impossible rather than unlikely.
--
-- ledger_transactions and ledger_entries are the truth. ledger_wallets, ledger_lots.available_micros
-- and ledger_holds are sums of entries that one trigger keeps; nothing else may write them.

-- One row for each account: the lock that orders its money, and the sums that a balance needs.
create table ledger_wallets (
  account_id uuid primary key references accounts (id) on delete restrict,
  available_micros bigint not null default 0 check (available_micros >= 0),
  held_micros bigint not null default 0 check (held_micros >= 0),
  -- What a chargeback took beyond the credit that was left. It counts against the balance.
  debt_micros bigint not null default 0 check (debt_micros <= 0),
  charged_micros bigint not null default 0 check (charged_micros >= 0),
  bonus_micros bigint not null default 0 check (bonus_micros >= 0),
  -- An account's time never runs backwards, even where two machines' clocks differ.
  last_at timestamptz not null default '-infinity'
) with (fillfactor = 70);

create table ledger_transactions (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  account_id uuid not null references ledger_wallets (account_id),
  kind text not null,
  key text not null unique check (length(key) <= 300),
  job_id uuid,
  -- The capture that a refund, or the purchase that a chargeback, undoes.
  reverses uuid references ledger_transactions (id),
  -- What the account gained or lost; what of its credit moved into (+) or out of (-) a hold.
  amount_micros bigint not null check (abs(amount_micros) <= 1000000000000000),
  held_change_micros bigint not null check (abs(held_change_micros) <= 1000000000000000),
  balance_after_micros bigint not null,
  description text not null check (length(description) between 1 and 500),
  metadata jsonb not null default '{}' check (length(metadata::text) <= 8000),
  bonus_percentage smallint check (bonus_percentage between 0 and 100),
  created_at timestamptz not null,
  constraint ledger_transactions_key_names_its_kind check (
    case
      when kind in ('hold', 'capture', 'release') then key = kind || ':' || job_id
      when kind = 'grant' then key = kind || ':' || account_id || ':' || right(key, 7)
      else starts_with(key, kind || ':') and length(key) > length(kind) + 1
    end is true
  ),
  constraint ledger_transactions_amount_fits_its_kind check (
    case kind
      when 'grant' then amount_micros > 0 and held_change_micros = 0
      when 'purchase' then amount_micros > 0 and held_change_micros = 0
      when 'reload' then amount_micros > 0 and held_change_micros = 0
      when 'adjust' then amount_micros > 0 and held_change_micros = 0
      when 'refund' then amount_micros >= 0 and held_change_micros = 0 and job_id is not null
        and reverses is not null
      when 'hold' then amount_micros = 0 and held_change_micros >= 0
      when 'capture' then amount_micros <= 0 and held_change_micros = amount_micros
      when 'release' then held_change_micros <= 0
        and amount_micros between held_change_micros and 0
      when 'expire' then amount_micros < 0 and held_change_micros = 0
      when 'chargeback' then amount_micros < 0 and held_change_micros = 0 and reverses is not null
      else false
    end
  )
);
-- What a person sees: everything but holds and plain releases, newest first.
create index ledger_transactions_history on ledger_transactions (account_id, created_at, seq)
  where amount_micros <> 0;
create index ledger_transactions_reverses on ledger_transactions (reverses)
  where reverses is not null;

-- Credit of one origin: free credit expires, bonus and paid credit never do.
create table ledger_lots (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  account_id uuid not null references ledger_wallets (account_id),
  kind text not null check (kind in ('free', 'bonus', 'paid')),
  opened_by uuid not null references ledger_transactions (id) deferrable initially deferred,
  granted_micros bigint not null check (granted_micros > 0),
  available_micros bigint not null default 0
    check (available_micros between 0 and granted_micros),
  -- Changes only when a lot empties or refills, so most updates touch no index.
  spendable boolean not null generated always as (available_micros > 0) stored,
  expires_at timestamptz,
  check ((kind = 'free') = (expires_at is not null)),
  unique (opened_by, kind)
) with (fillfactor = 70);
create index ledger_lots_spendable on ledger_lots (account_id, expires_at) where spendable;
create index ledger_lots_due on ledger_lots (expires_at)
  where spendable and expires_at is not null;

-- Customer books: available, held, debt. The house's books: cash (cards), free, bonus and
-- adjustment (credit given), revenue (credit used), lapsed (credit expired).
create table ledger_entries (
  transaction_id uuid not null references ledger_transactions (id),
  line smallint not null check (line > 0),
  book text not null check (book in
    ('available', 'held', 'debt', 'cash', 'free', 'bonus', 'adjustment', 'revenue', 'lapsed')),
  lot_id uuid,
  amount_micros bigint not null check (amount_micros <> 0),
  primary key (transaction_id, line),
  check ((lot_id is null) = (book = 'debt'))
);

-- What a job still holds of each lot.
create table ledger_holds (
  job_id uuid not null,
  lot_id uuid not null,
  account_id uuid not null,
  held_micros bigint not null check (held_micros >= 0),
  primary key (job_id, lot_id)
) with (fillfactor = 70);

-- A provider identity earns one free grant a month, whichever account it opens. Only its hash is
-- kept, so that the rule outlives an erased account.
create table ledger_grant_claims (
  identity_sha256 bytea not null,
  month text not null,
  account_id uuid not null,
  primary key (identity_sha256, month)
);

-- Append-only -------------------------------------------------------------------------------

create function ledger_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'ledger: % of % is refused: %', lower(tg_op), tg_table_name,
    'a mistake is mended by a reversing transaction'
    using errcode = 'integrity_constraint_violation';
end $$;

create trigger append_only before update or delete or truncate on ledger_transactions
  for each statement execute function ledger_refuse();
create trigger append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse();
create trigger append_only before update or delete or truncate on ledger_grant_claims
  for each statement execute function ledger_refuse();

-- The sums are written by the posting trigger alone, which runs one level deep.
create trigger kept_by_posting before update on ledger_wallets
  for each statement when (pg_trigger_depth() = 0) execute function ledger_refuse();
create trigger kept_by_posting before update on ledger_lots
  for each statement when (pg_trigger_depth() = 0) execute function ledger_refuse();
create trigger kept_by_posting before insert or update on ledger_holds
  for each statement when (pg_trigger_depth() = 0) execute function ledger_refuse();
create trigger never_removed before delete or truncate on ledger_wallets
  for each statement execute function ledger_refuse();
create trigger never_removed before delete or truncate on ledger_lots
  for each statement execute function ledger_refuse();
create trigger never_removed before delete or truncate on ledger_holds
  for each statement execute function ledger_refuse();
create trigger opened_empty before insert on ledger_wallets for each row
  when (new.available_micros <> 0 or new.held_micros <> 0 or new.debt_micros <> 0
    or new.charged_micros <> 0 or new.bonus_micros <> 0)
  execute function ledger_refuse();
create trigger opened_empty before insert on ledger_lots for each row
  when (new.available_micros <> 0) execute function ledger_refuse();

-- Posting -----------------------------------------------------------------------------------

create function ledger_broken(what text, subject text) returns void language plpgsql as $$
begin
  raise exception 'ledger: % (%)', what, subject using errcode = 'integrity_constraint_violation';
end $$;

-- Checks each transaction whose entries arrived and carries them into the sums. All entries of a
-- transaction come in one statement, so that no later one can add to a checked transaction; the
-- sum is therefore checked at once, which no deferral can postpone past another statement.
create function ledger_post() returns trigger language plpgsql as $$
declare
  posting record;
  wallet ledger_wallets;
  changed bigint;
begin
  for posting in
    select e.transaction_id, t.account_id, t.job_id, t.kind, t.amount_micros, t.held_change_micros,
      t.balance_after_micros, t.created_at, count(*) as lines, sum(e.amount_micros) as total,
      coalesce(sum(e.amount_micros) filter (where e.book = 'available'), 0)::bigint as available,
      coalesce(sum(e.amount_micros) filter (where e.book = 'held'), 0)::bigint as held,
      coalesce(sum(e.amount_micros) filter (where e.book = 'debt'), 0)::bigint as debt,
      coalesce(sum(e.amount_micros) filter (where e.book = 'cash'), 0)::bigint as cash,
      coalesce(sum(e.amount_micros) filter (where e.book = 'bonus'), 0)::bigint as bonus,
      count(distinct e.lot_id) filter (where e.book = 'available') as lots,
      count(distinct e.lot_id) filter (where e.book = 'held') as parts,
      (select count(*) from ledger_entries s where s.transaction_id = e.transaction_id) as stored
    from added e left join ledger_transactions t on t.id = e.transaction_id
    group by e.transaction_id, t.id
  loop
    if posting.total <> 0 then
      perform ledger_broken('entries do not sum to zero', posting.transaction_id::text);
    end if;
    if posting.stored <> posting.lines then
      perform ledger_broken('entries were added to a posted transaction',
        posting.transaction_id::text);
    end if;
    if posting.available + posting.held + posting.debt is distinct from posting.amount_micros
      or posting.held is distinct from posting.held_change_micros
      or (posting.amount_micros = 0 and posting.held_change_micros = 0
        and posting.kind <> 'refund')
    then
      perform ledger_broken('entries do not add up to their transaction',
        posting.transaction_id::text);
    end if;

    update ledger_wallets set
      available_micros = available_micros + posting.available,
      held_micros = held_micros + posting.held,
      debt_micros = debt_micros + posting.debt,
      charged_micros = charged_micros - posting.cash,
      bonus_micros = bonus_micros - posting.bonus,
      last_at = greatest(last_at, posting.created_at)
    where account_id = posting.account_id
    returning * into wallet;
    if wallet.available_micros + wallet.debt_micros <> posting.balance_after_micros
      or (posting.kind = 'hold' and posting.balance_after_micros < 0)
      or wallet.last_at > posting.created_at
    then
      perform ledger_broken('the transaction does not follow from the balance before it',
        posting.transaction_id::text);
    end if;

    update ledger_lots l set available_micros = l.available_micros + moved.micros
    from (select lot_id, sum(amount_micros)::bigint as micros from added
      where transaction_id = posting.transaction_id and book = 'available' group by lot_id) moved
    where l.id = moved.lot_id and l.account_id = posting.account_id;
    get diagnostics changed = row_count;
    if changed <> posting.lots then
      perform ledger_broken('a lot is not of this account', posting.transaction_id::text);
    end if;

    if posting.parts = 0 then
      continue;
    elsif posting.kind = 'hold' then
      insert into ledger_holds (job_id, lot_id, account_id, held_micros)
      select posting.job_id, l.id, l.account_id, sum(e.amount_micros)
      from added e join ledger_lots l on l.id = e.lot_id and l.account_id = posting.account_id
      where e.transaction_id = posting.transaction_id and e.book = 'held' group by l.id;
    else
      update ledger_holds h set held_micros = h.held_micros + moved.micros
      from (select lot_id, sum(amount_micros)::bigint as micros from added
        where transaction_id = posting.transaction_id and book = 'held' group by lot_id) moved
      where h.job_id = posting.job_id and h.lot_id = moved.lot_id
        and h.account_id = posting.account_id;
    end if;
    get diagnostics changed = row_count;
    if changed <> posting.parts then
      perform ledger_broken('a held part is not of this job', posting.transaction_id::text);
    end if;
  end loop;
  return null;
end $$;

create trigger post after insert on ledger_entries referencing new table as added
  for each statement execute function ledger_post();

-- At commit: a transaction that moves money has entries, and a $0 one has none to have.
create function ledger_require_entries() returns trigger language plpgsql as $$
begin
  if not exists (select from ledger_entries where transaction_id = new.id) then
    perform ledger_broken('a transaction has no entries', new.id::text);
  end if;
  return null;
end $$;

create constraint trigger has_entries after insert on ledger_transactions
  deferrable initially deferred for each row
  when (new.amount_micros <> 0 or new.held_change_micros <> 0 or new.kind = 'refund')
  execute function ledger_require_entries();

-- Building blocks ---------------------------------------------------------------------------

-- Every operation begins here: one at a time for each account.
create function ledger_lock(in_account uuid) returns ledger_wallets language plpgsql as $$
declare wallet ledger_wallets;
begin
  select * into wallet from ledger_wallets where account_id = in_account for no key update;
  if not found then
    insert into ledger_wallets (account_id) values (in_account) on conflict do nothing;
    select * into wallet from ledger_wallets where account_id = in_account for no key update;
  end if;
  return wallet;
end $$;

-- Writes one transaction with its entries and hands back the wallet after it.
create function ledger_write(
  wallet ledger_wallets, in_id uuid, in_kind text, in_key text, in_job uuid, in_reverses uuid,
  in_amount bigint, in_held_change bigint, in_description text, in_metadata jsonb,
  in_bonus_percentage int, in_at timestamptz, books text[], lots uuid[], amounts bigint[]
) returns ledger_wallets language plpgsql as $$
begin
  with written as (
    insert into ledger_transactions (id, account_id, kind, key, job_id, reverses, amount_micros,
      held_change_micros, balance_after_micros, description, metadata, bonus_percentage, created_at)
    values (in_id, wallet.account_id, in_kind, in_key, in_job, in_reverses, in_amount,
      in_held_change,
      wallet.available_micros + wallet.debt_micros + in_amount - in_held_change,
      in_description, in_metadata, in_bonus_percentage, in_at)
  )
  insert into ledger_entries (transaction_id, line, book, lot_id, amount_micros)
  select in_id, line, book, lot_id, micros
  from unnest(books, lots, amounts) with ordinality as e (book, lot_id, micros, line);
  select * into wallet from ledger_wallets where account_id = wallet.account_id;
  return wallet;
end $$;

-- Every operation that changes something first lets go what has expired by then.
create function ledger_lapse(wallet ledger_wallets, in_at timestamptz)
returns ledger_wallets language plpgsql as $$
declare lot record;
begin
  for lot in
    select id, available_micros, expires_at from ledger_lots
    where account_id = wallet.account_id and spendable and expires_at <= in_at
    order by expires_at, seq
  loop
    wallet := ledger_write(wallet, gen_random_uuid(), 'expire', 'expire:' || lot.id, null, null,
      -lot.available_micros, 0, 'Free credit expired', '{}', null,
      greatest(lot.expires_at, wallet.last_at),
      array['available', 'lapsed'], array[lot.id, lot.id],
      array[-lot.available_micros, lot.available_micros]);
  end loop;
  return wallet;
end $$;

create function ledger_conflict(in_key text) returns void language plpgsql as $$
begin
  raise exception 'ledger: key % was used before with other values', in_key
    using errcode = 'unique_violation';
end $$;

-- Credit in ---------------------------------------------------------------------------------

-- A package bought by hand (purchase) or by auto-reload (reload): the price becomes a paid lot, the
-- bonus a bonus lot. Debt is paid first.
create function ledger_credit_package(
  in_kind text, in_account uuid, in_reference text, in_price bigint, in_bonus bigint,
  in_bonus_percentage int, in_description text, in_metadata jsonb, in_now timestamptz
) returns jsonb language plpgsql as $$
declare
  wallet ledger_wallets := ledger_lock(in_account);
  this_key text := in_kind || ':' || in_reference;
  seen ledger_transactions;
  opened uuid := gen_random_uuid();
  at timestamptz;
  lot_of uuid;
  owed bigint;
  paid_off bigint;
  books text[] := '{}';
  lots uuid[] := '{}';
  amounts bigint[] := '{}';
  source record;
begin
  select * into seen from ledger_transactions where key = this_key;
  if found then
    if seen.account_id <> in_account or seen.amount_micros <> in_price + in_bonus then
      perform ledger_conflict(this_key);
    end if;
    return jsonb_build_object('ok', true, 'transactionId', seen.id,
      'creditedMicros', seen.amount_micros, 'availableMicros', seen.balance_after_micros);
  end if;
  at := greatest(in_now, wallet.last_at);
  wallet := ledger_lapse(wallet, at);
  owed := -wallet.debt_micros;
  for source in
    select * from (values ('paid', 'cash', in_price), ('bonus', 'bonus', in_bonus))
      as s (kind, book, micros) where micros <> 0
  loop
    lot_of := gen_random_uuid();
    insert into ledger_lots (id, account_id, kind, opened_by, granted_micros)
    values (lot_of, in_account, source.kind, opened, source.micros);
    paid_off := least(owed, source.micros);
    owed := owed - paid_off;
    books := books || source.book || 'available'::text || 'debt'::text;
    lots := lots || lot_of || lot_of || null::uuid;
    amounts := amounts || -source.micros || (source.micros - paid_off) || paid_off;
  end loop;
  wallet := ledger_write_sparse(wallet, opened, in_kind, this_key, null, null, in_price + in_bonus,
    in_description, in_metadata, in_bonus_percentage, at, books, lots, amounts);
  return jsonb_build_object('ok', true, 'transactionId', opened, 'creditedMicros',
    in_price + in_bonus, 'availableMicros', wallet.available_micros + wallet.debt_micros);
end $$;

-- As ledger_write, for transactions outside the hot path whose lines may come to nothing.
create function ledger_write_sparse(
  wallet ledger_wallets, in_id uuid, in_kind text, in_key text, in_job uuid, in_reverses uuid,
  in_amount bigint, in_description text, in_metadata jsonb, in_bonus_percentage int,
  in_at timestamptz, books text[], lots uuid[], amounts bigint[]
) returns ledger_wallets language plpgsql as $$
begin
  select array_agg(book order by line), array_agg(lot_id order by line),
    array_agg(micros order by line)
  into books, lots, amounts
  from unnest(books, lots, amounts) with ordinality as e (book, lot_id, micros, line)
  where micros <> 0;
  return ledger_write(wallet, in_id, in_kind, in_key, in_job, in_reverses, in_amount, 0,
    in_description, in_metadata, in_bonus_percentage, in_at, books, lots, amounts);
end $$;

-- The operator's credit: never expires, costs nothing, carries its reason.
create function ledger_adjust(
  in_account uuid, in_reference text, in_amount bigint, in_description text, in_metadata jsonb,
  in_now timestamptz
) returns jsonb language plpgsql as $$
declare
  wallet ledger_wallets := ledger_lock(in_account);
  this_key text := 'adjust:' || in_reference;
  seen ledger_transactions;
  opened uuid := gen_random_uuid();
  lot_of uuid := gen_random_uuid();
  at timestamptz;
  paid_off bigint;
begin
  select * into seen from ledger_transactions where key = this_key;
  if found then
    if seen.account_id <> in_account or seen.amount_micros <> in_amount then
      perform ledger_conflict(this_key);
    end if;
    return jsonb_build_object('ok', true, 'transactionId', seen.id,
      'creditedMicros', seen.amount_micros, 'availableMicros', seen.balance_after_micros);
  end if;
  at := greatest(in_now, wallet.last_at);
  wallet := ledger_lapse(wallet, at);
  paid_off := least(-wallet.debt_micros, in_amount);
  insert into ledger_lots (id, account_id, kind, opened_by, granted_micros)
  values (lot_of, in_account, 'bonus', opened, in_amount);
  wallet := ledger_write_sparse(wallet, opened, 'adjust', this_key, null, null, in_amount,
    in_description, in_metadata, null, at, array['adjustment', 'available', 'debt'],
    array[lot_of, lot_of, null], array[-in_amount, in_amount - paid_off, paid_off]);
  return jsonb_build_object('ok', true, 'transactionId', opened, 'creditedMicros', in_amount,
    'availableMicros', wallet.available_micros + wallet.debt_micros);
end $$;

-- The month's free credit, for an account with a provider identity whose e-mail is verified.
create function ledger_grant_free_credit(in_account uuid, in_amount bigint, in_now timestamptz)
returns jsonb language plpgsql as $$
declare
  wallet ledger_wallets := ledger_lock(in_account);
  at timestamptz := greatest(in_now, wallet.last_at);
  month_start timestamp := date_trunc('month', at at time zone 'UTC');
  this_month text := to_char(month_start, 'YYYY-MM');
  expiry timestamptz := (month_start + interval '1 month') at time zone 'UTC';
  this_key text := 'grant:' || in_account || ':' || this_month;
  seen ledger_transactions;
  opened uuid := gen_random_uuid();
  lot_of uuid := gen_random_uuid();
  claims bytea[];
  claimed bigint;
begin
  select * into seen from ledger_transactions where key = this_key;
  if found then
    return jsonb_build_object('ok', true, 'transactionId', seen.id, 'creditedMicros',
      seen.amount_micros, 'availableMicros', seen.balance_after_micros);
  end if;
  select array_agg(sha256(convert_to(provider || ':' || subject, 'UTF8'))) into claims
  from identities where account_id = in_account and email_verified;
  if claims is null then
    return jsonb_build_object('ok', false, 'reason', 'unverified');
  end if;
  if exists (select from ledger_grant_claims where month = this_month
    and identity_sha256 = any (claims) and account_id <> in_account)
  then
    return jsonb_build_object('ok', false, 'reason', 'identity_used');
  end if;
  insert into ledger_grant_claims (identity_sha256, month, account_id)
  select claim, this_month, in_account from unnest(claims) as claim
  order by claim on conflict do nothing;
  select count(*) into claimed from ledger_grant_claims where month = this_month
    and identity_sha256 = any (claims) and account_id = in_account;
  if claimed <> cardinality(claims) then
    raise exception 'ledger: another account claimed this identity just now'
      using errcode = 'serialization_failure';
  end if;
  wallet := ledger_lapse(wallet, at);
  insert into ledger_lots (id, account_id, kind, opened_by, granted_micros, expires_at)
  values (lot_of, in_account, 'free', opened, in_amount, expiry);
  wallet := ledger_write(wallet, opened, 'grant', this_key, null, null, in_amount, 0,
    'Free monthly credit', '{}', null, at, array['free', 'available'], array[lot_of, lot_of],
    array[-in_amount, in_amount]);
  return jsonb_build_object('ok', true, 'transactionId', opened, 'creditedMicros', in_amount,
    'availableMicros', wallet.available_micros + wallet.debt_micros);
end $$;

-- Holds -------------------------------------------------------------------------------------

create function ledger_place_hold(
  in_account uuid, in_job uuid, in_amount bigint, in_now timestamptz
) returns jsonb language plpgsql as $$
declare
  wallet ledger_wallets := ledger_lock(in_account);
  this_key text := 'hold:' || in_job;
  seen ledger_transactions;
  opened uuid;
  at timestamptz;
  missing bigint := in_amount;
  part bigint;
  lot record;
  books text[] := '{}';
  lots uuid[] := '{}';
  amounts bigint[] := '{}';
begin
  select * into seen from ledger_transactions where key = this_key;
  if found then
    if seen.account_id <> in_account or seen.held_change_micros <> in_amount then
      perform ledger_conflict(this_key);
    end if;
    return jsonb_build_object('ok', true, 'transactionId', seen.id, 'heldMicros', in_amount,
      'availableMicros', seen.balance_after_micros);
  end if;
  at := greatest(in_now, wallet.last_at);
  wallet := ledger_lapse(wallet, at);
  if in_amount > wallet.available_micros + wallet.debt_micros then
    return jsonb_build_object('ok', false, 'reason', 'insufficient', 'requiredMicros', in_amount,
      'availableMicros', wallet.available_micros + wallet.debt_micros);
  end if;
  for lot in
    select id, available_micros from ledger_lots where account_id = in_account and spendable
    order by expires_at nulls last, kind = 'paid', seq
  loop
    exit when missing = 0;
    part := least(missing, lot.available_micros);
    missing := missing - part;
    books := books || '{available,held}'::text[];
    lots := lots || array[lot.id, lot.id];
    amounts := amounts || array[-part, part];
  end loop;
  opened := gen_random_uuid();
  wallet := ledger_write(wallet, opened, 'hold', this_key, in_job, null, 0, in_amount,
    'Held for a job', '{}', null, at, books, lots, amounts);
  return jsonb_build_object('ok', true, 'transactionId', opened, 'heldMicros', in_amount,
    'availableMicros', wallet.available_micros + wallet.debt_micros);
end $$;

-- What a capture or a release answered, now or when it happened.
create function ledger_hold_outcome(in_job uuid) returns jsonb language sql stable as $$
  select jsonb_build_object('ok', true,
    'transactionId', coalesce(c.id, r.id),
    'capturedMicros', coalesce(-c.amount_micros, 0),
    'releasedMicros', coalesce(r.amount_micros - r.held_change_micros, 0),
    'lapsedMicros', coalesce(-r.amount_micros, 0),
    'availableMicros', coalesce(r.balance_after_micros, c.balance_after_micros))
  from (values ('capture:' || in_job, 'release:' || in_job)) as k (capture_key, release_key)
  left join ledger_transactions c on c.key = k.capture_key
  left join ledger_transactions r on r.key = k.release_key
$$;

-- Ends a hold: in_amount is charged, the rest goes back to the lots it came from, and what of it is
-- expired by now lapses. in_amount null: a release of everything.
create function ledger_close_hold(
  in_job uuid, in_amount bigint, in_description text, in_metadata jsonb, in_now timestamptz
) returns jsonb language plpgsql as $$
declare
  hold ledger_transactions;
  ended record;
  wallet ledger_wallets;
  at timestamptz;
  charge bigint := coalesce(in_amount, 0);
  part record;
  taken bigint;
  given bigint;
  paid_off bigint;
  owed bigint;
  released bigint := 0;
  lapsed bigint := 0;
  capture_id uuid;
  release_id uuid;
  capture_books text[] := '{}';
  capture_lots uuid[] := '{}';
  capture_amounts bigint[] := '{}';
  books text[] := '{}';
  lots uuid[] := '{}';
  amounts bigint[] := '{}';
begin
  select * into hold from ledger_transactions where key = 'hold:' || in_job;
  if not found then
    return jsonb_build_object('ok', false, 'reason', 'no_hold');
  end if;
  wallet := ledger_lock(hold.account_id);
  select kind, amount_micros into ended from ledger_transactions
  where key in ('capture:' || in_job, 'release:' || in_job) order by kind limit 1;
  if found then
    if (ended.kind = 'capture') <> (in_amount is not null) then
      return jsonb_build_object('ok', false, 'reason',
        case ended.kind when 'capture' then 'captured' else 'released' end);
    end if;
    if in_amount is not null and -ended.amount_micros <> in_amount then
      perform ledger_conflict('capture:' || in_job);
    end if;
    return ledger_hold_outcome(in_job);
  end if;
  if charge > hold.held_change_micros then
    return jsonb_build_object('ok', false, 'reason', 'exceeds_hold',
      'heldMicros', hold.held_change_micros);
  end if;
  at := greatest(in_now, wallet.last_at);
  wallet := ledger_lapse(wallet, at);
  owed := -wallet.debt_micros;
  for part in
    select h.lot_id, h.held_micros, l.expires_at from ledger_holds h
    join ledger_lots l on l.id = h.lot_id where h.job_id = in_job
    order by l.expires_at nulls last, l.kind = 'paid', l.seq
  loop
    taken := least(charge, part.held_micros);
    given := part.held_micros - taken;
    charge := charge - taken;
    if taken > 0 then
      capture_books := capture_books || '{held,revenue}'::text[];
      capture_lots := capture_lots || array[part.lot_id, part.lot_id];
      capture_amounts := capture_amounts || array[-taken, taken];
    end if;
    continue when given = 0;
    books := books || 'held'::text;
    lots := lots || part.lot_id;
    amounts := amounts || -given;
    if part.expires_at <= at then
      lapsed := lapsed + given;
      books := books || 'lapsed'::text;
      lots := lots || part.lot_id;
      amounts := amounts || given;
      continue;
    end if;
    released := released + given;
    -- Free credit is not taken for a debt: it would lapse anyway.
    paid_off := case when part.expires_at is null then least(owed, given) else 0 end;
    if given > paid_off then
      books := books || 'available'::text;
      lots := lots || part.lot_id;
      amounts := amounts || (given - paid_off);
    end if;
    if paid_off > 0 then
      owed := owed - paid_off;
      books := books || 'debt'::text;
      lots := lots || null::uuid;
      amounts := amounts || paid_off;
    end if;
  end loop;
  if in_amount is not null then
    capture_id := gen_random_uuid();
    wallet := ledger_write(wallet, capture_id, 'capture', 'capture:' || in_job, in_job, null,
      -in_amount, -in_amount, in_description, in_metadata, null, at,
      capture_books, capture_lots, capture_amounts);
  end if;
  if in_amount is null or released + lapsed > 0 then
    release_id := gen_random_uuid();
    wallet := ledger_write(wallet, release_id, 'release', 'release:' || in_job, in_job, null,
      -lapsed, -(released + lapsed),
      case when lapsed > 0 then 'Free credit expired' else 'Released from a job' end, '{}', null,
      at, books, lots, amounts);
  end if;
  return jsonb_build_object('ok', true, 'transactionId', coalesce(capture_id, release_id),
    'capturedMicros', coalesce(in_amount, 0), 'releasedMicros', released, 'lapsedMicros', lapsed,
    'availableMicros', wallet.available_micros + wallet.debt_micros);
end $$;

-- Reversals ---------------------------------------------------------------------------------

-- Gives back what a job was charged, to the lots that paid, the last spent first. in_amount null:
-- all that is left. A part of an expired lot lapses.
create function ledger_refund(
  in_job uuid, in_reference text, in_amount bigint, in_description text, in_metadata jsonb,
  in_now timestamptz
) returns jsonb language plpgsql as $$
declare
  capture ledger_transactions;
  seen ledger_transactions;
  wallet ledger_wallets;
  this_key text := 'refund:' || in_reference;
  opened uuid := gen_random_uuid();
  at timestamptz;
  refundable bigint;
  missing bigint;
  owed bigint;
  given bigint;
  paid_off bigint;
  lapsed bigint := 0;
  total bigint;
  part record;
  books text[] := '{}';
  lots uuid[] := '{}';
  amounts bigint[] := '{}';
begin
  select * into capture from ledger_transactions where key = 'capture:' || in_job;
  if not found then
    return jsonb_build_object('ok', false, 'reason', 'not_captured');
  end if;
  wallet := ledger_lock(capture.account_id);
  select * into seen from ledger_transactions where key = this_key;
  if found then
    select coalesce(sum(amount_micros) filter (where book = 'lapsed'), 0)::bigint,
      -coalesce(sum(amount_micros) filter (where book = 'revenue'), 0)::bigint
    into lapsed, total from ledger_entries where transaction_id = seen.id;
    if seen.job_id <> in_job or total <> coalesce(in_amount, total) then
      perform ledger_conflict(this_key);
    end if;
    return jsonb_build_object('ok', true, 'transactionId', seen.id, 'refundedMicros',
      seen.amount_micros, 'lapsedMicros', lapsed, 'availableMicros', seen.balance_after_micros);
  end if;
  select coalesce(sum(e.amount_micros), 0)::bigint into refundable
  from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
  where (t.id = capture.id or t.reverses = capture.id) and e.book = 'revenue';
  missing := coalesce(in_amount, refundable);
  if missing > refundable or missing <= 0 then
    return jsonb_build_object('ok', false, 'reason', 'exceeds_charge',
      'refundableMicros', refundable);
  end if;
  at := greatest(in_now, wallet.last_at);
  wallet := ledger_lapse(wallet, at);
  owed := -wallet.debt_micros;
  total := missing;
  for part in
    select l.id, l.expires_at, sum(e.amount_micros)::bigint as micros
    from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
    join ledger_lots l on l.id = e.lot_id
    where (t.id = capture.id or t.reverses = capture.id) and e.book = 'revenue'
    group by l.id having sum(e.amount_micros) > 0
    order by l.expires_at desc nulls first, l.kind = 'paid' desc, l.seq desc
  loop
    exit when missing = 0;
    given := least(missing, part.micros);
    missing := missing - given;
    paid_off := case when part.expires_at is null then least(owed, given) else 0 end;
    owed := owed - paid_off;
    if part.expires_at <= at then
      lapsed := lapsed + given;
    end if;
    books := books || 'revenue'::text
      || case when part.expires_at <= at then 'lapsed' else 'available' end || 'debt'::text;
    lots := lots || part.id || part.id || null::uuid;
    amounts := amounts || -given || (given - paid_off) || paid_off;
  end loop;
  wallet := ledger_write_sparse(wallet, opened, 'refund', this_key, in_job, capture.id,
    total - lapsed, in_description, in_metadata, null, at, books, lots, amounts);
  return jsonb_build_object('ok', true, 'transactionId', opened, 'refundedMicros', total - lapsed,
    'lapsedMicros', lapsed, 'availableMicros', wallet.available_micros + wallet.debt_micros);
end $$;

-- Money that went back to a card, by dispute or by refund: the purchase's bonus is revoked as far as
-- it is left, the price is taken from its own lot, then from other lasting credit, then as debt.
create function ledger_chargeback(
  in_purchase text, in_reference text, in_amount bigint, in_description text, in_metadata jsonb,
  in_now timestamptz
) returns jsonb language plpgsql as $$
declare
  purchase ledger_transactions;
  seen ledger_transactions;
  wallet ledger_wallets;
  this_key text := 'chargeback:' || in_reference;
  opened uuid := gen_random_uuid();
  at timestamptz;
  paid ledger_lots;
  bonus ledger_lots;
  before bigint;
  missing bigint;
  total bigint;
  revoked bigint := 0;
  part bigint;
  lot record;
  books text[] := '{}';
  lots uuid[] := '{}';
  amounts bigint[] := '{}';
begin
  select * into purchase from ledger_transactions
  where key = in_purchase and kind in ('purchase', 'reload');
  if not found then
    return jsonb_build_object('ok', false, 'reason', 'no_purchase');
  end if;
  wallet := ledger_lock(purchase.account_id);
  select * into seen from ledger_transactions where key = this_key;
  if found then
    select sum(amount_micros)::bigint into total from ledger_entries
    where transaction_id = seen.id and book = 'cash';
    if seen.reverses <> purchase.id or total <> coalesce(in_amount, total) then
      perform ledger_conflict(this_key);
    end if;
    return jsonb_build_object('ok', true, 'transactionId', seen.id, 'reversedMicros', total,
      'revokedBonusMicros', -seen.amount_micros - total,
      'availableMicros', seen.balance_after_micros);
  end if;
  select coalesce(sum(e.amount_micros), 0)::bigint into before
  from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
  where t.reverses = purchase.id and e.book = 'cash';
  select * into paid from ledger_lots where opened_by = purchase.id and kind = 'paid';
  total := coalesce(in_amount, paid.granted_micros - before);
  if total > paid.granted_micros - before or total <= 0 then
    return jsonb_build_object('ok', false, 'reason', 'exceeds_purchase',
      'reversibleMicros', paid.granted_micros - before);
  end if;
  at := greatest(in_now, wallet.last_at);
  wallet := ledger_lapse(wallet, at);
  select * into bonus from ledger_lots where opened_by = purchase.id and kind = 'bonus';
  if found then
    -- In proportion to the money, so that parts add up to the whole bonus.
    revoked := least(bonus.available_micros,
      div(bonus.granted_micros::numeric * (before + total), paid.granted_micros)::bigint
      - div(bonus.granted_micros::numeric * before, paid.granted_micros)::bigint);
    books := books || 'bonus'::text || 'available'::text;
    lots := lots || bonus.id || bonus.id;
    amounts := amounts || revoked || -revoked;
  end if;
  missing := total;
  books := books || 'cash'::text;
  lots := lots || paid.id;
  amounts := amounts || total;
  for lot in
    select id, available_micros from ledger_lots
    where account_id = wallet.account_id and spendable and expires_at is null
    order by id <> paid.id, kind = 'paid', seq
  loop
    exit when missing = 0;
    part := least(missing,
      lot.available_micros - case when lot.id = bonus.id then revoked else 0 end);
    missing := missing - part;
    books := books || 'available'::text;
    lots := lots || lot.id;
    amounts := amounts || -part;
  end loop;
  books := books || 'debt'::text;
  lots := lots || null::uuid;
  amounts := amounts || -missing;
  wallet := ledger_write_sparse(wallet, opened, 'chargeback', this_key, null, purchase.id,
    -(total + revoked), in_description, in_metadata, null, at, books, lots, amounts);
  return jsonb_build_object('ok', true, 'transactionId', opened, 'reversedMicros', total,
    'revokedBonusMicros', revoked,
    'availableMicros', wallet.available_micros + wallet.debt_micros);
end $$;

-- Expiry of one account's lots, for the sweep.
create function ledger_expire(in_account uuid, in_now timestamptz) returns jsonb
language plpgsql as $$
declare
  wallet ledger_wallets := ledger_lock(in_account);
  after ledger_wallets := ledger_lapse(wallet, greatest(in_now, wallet.last_at));
begin
  return jsonb_build_object('ok', true,
    'lapsedMicros', wallet.available_micros - after.available_micros,
    'availableMicros', after.available_micros + after.debt_micros);
end $$;
