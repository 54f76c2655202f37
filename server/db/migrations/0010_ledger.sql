-- The ledger: double entry, append-only, integer micro-dollars. server/billing/ledger.ts explains
-- the mechanism; this file is what makes a breach of it impossible rather than unlikely.
--
-- ledger_transactions and ledger_entries are the truth. ledger_wallets, ledger_lots.available_micros
-- and ledger_holds are sums of entries that one trigger keeps; nothing else may write them.

-- A CHECK is read anew by every statement that writes its table, so the tables of the hot path have
-- one short CHECK each, for what must never happen, and the triggers below check the rest.

-- One row for each account: the lock that orders its money, and the sums that a balance needs.
create table ledger_wallets (
  account_id uuid primary key references accounts (id) on delete restrict,
  available_micros bigint not null default 0,
  held_micros bigint not null default 0,
  -- What a chargeback took beyond the credit that was left. It counts against the balance.
  debt_micros bigint not null default 0,
  -- Money charged to cards and bonus given with it, less what went back.
  charged_micros bigint not null default 0,
  bonus_micros bigint not null default 0,
  -- An account's time never runs backwards, even where two machines' clocks differ.
  last_at timestamptz not null default '-infinity',
  constraint ledger_wallets_never_overspent
    check (available_micros >= 0 and held_micros >= 0 and debt_micros <= 0)
) with (fillfactor = 70);

create table ledger_transactions (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  account_id uuid not null references ledger_wallets (account_id),
  kind text not null,
  key text not null unique,
  job_id uuid,
  -- The capture that a refund, or the purchase that a chargeback, undoes.
  reverses uuid references ledger_transactions (id),
  -- What the account gained or lost; what of its credit moved into (+) or out of (-) a hold.
  amount_micros bigint not null,
  held_change_micros bigint not null,
  balance_after_micros bigint not null,
  description text not null,
  metadata jsonb not null default '{}',
  bonus_percentage smallint,
  created_at timestamptz not null
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
  kind text not null,
  opened_by uuid not null references ledger_transactions (id) deferrable initially deferred,
  granted_micros bigint not null,
  available_micros bigint not null default 0,
  -- Changes only when a lot empties or refills, so most updates touch no index.
  spendable boolean not null default false,
  expires_at timestamptz,
  unique (opened_by, kind),
  constraint ledger_lots_never_overspent check (available_micros >= 0
    and available_micros <= granted_micros and spendable = (available_micros > 0))
) with (fillfactor = 70);
create index ledger_lots_spendable on ledger_lots (account_id, expires_at) where spendable;
create index ledger_lots_due on ledger_lots (expires_at)
  where spendable and expires_at is not null;

-- Customer books: available, held, debt. The house's books: cash (cards), free, bonus and
-- adjustment (credit given), revenue (credit used), lapsed (credit expired).
create table ledger_entries (
  -- The posting trigger refuses an entry without its transaction; a second check would cost twice.
  transaction_id uuid not null,
  line smallint not null,
  book text not null,
  lot_id uuid,
  amount_micros bigint not null,
  primary key (transaction_id, line)
);

-- What a job still holds of each lot.
create table ledger_holds (
  job_id uuid not null,
  lot_id uuid not null,
  account_id uuid not null,
  held_micros bigint not null,
  primary key (job_id, lot_id),
  constraint ledger_holds_never_overdrawn check (held_micros >= 0)
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

-- The sums are written by the posting trigger alone, which makes this one the second level.
create function ledger_refuse_by_hand() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'ledger: % of % is refused: it is kept by posting entries', lower(tg_op),
      tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

create trigger kept_by_posting before update on ledger_wallets
  for each statement execute function ledger_refuse_by_hand();
create trigger kept_by_posting before update on ledger_lots
  for each statement execute function ledger_refuse_by_hand();
create trigger kept_by_posting before insert or update on ledger_holds
  for each statement execute function ledger_refuse_by_hand();
create trigger never_removed before delete or truncate on ledger_wallets
  for each statement execute function ledger_refuse();
create trigger never_removed before delete or truncate on ledger_lots
  for each statement execute function ledger_refuse();
create trigger never_removed before delete or truncate on ledger_holds
  for each statement execute function ledger_refuse();
create trigger opened_empty before insert on ledger_wallets for each row
  when (new.available_micros <> 0 or new.held_micros <> 0 or new.debt_micros <> 0
    or new.charged_micros <> 0 or new.bonus_micros <> 0 or new.last_at <> '-infinity')
  execute function ledger_refuse();
create trigger opened_empty before insert on ledger_lots for each row
  when (not (new.kind in ('free', 'bonus', 'paid') and new.granted_micros > 0
    and new.available_micros = 0 and (new.kind = 'free') = (new.expires_at is not null)))
  execute function ledger_refuse();

create function ledger_broken(what text, subject uuid) returns void language plpgsql as $$
begin
  raise exception 'ledger: % (%)', what, subject using errcode = 'integrity_constraint_violation';
end $$;

-- A transaction's key names what it is, and its amounts fit its kind.
create function ledger_check_transaction() returns trigger language plpgsql as $$
declare
  fits boolean;
begin
  case new.kind
    when 'hold' then fits := new.amount_micros = 0 and new.held_change_micros >= 0;
    when 'capture' then
      fits := new.amount_micros <= 0 and new.held_change_micros = new.amount_micros;
    when 'release' then
      fits := new.held_change_micros <= 0 and new.amount_micros <= 0
        and new.amount_micros >= new.held_change_micros;
    when 'grant', 'purchase', 'reload', 'adjust' then
      fits := new.amount_micros > 0 and new.held_change_micros = 0 and new.job_id is null;
    when 'refund' then
      fits := new.amount_micros >= 0 and new.held_change_micros = 0 and new.job_id is not null
        and new.reverses is not null;
    when 'expire' then
      fits := new.amount_micros < 0 and new.held_change_micros = 0 and new.job_id is null;
    when 'chargeback' then
      fits := new.amount_micros < 0 and new.held_change_micros = 0 and new.job_id is null
        and new.reverses is not null;
    else fits := false;
  end case;
  if fits is not true or abs(new.amount_micros) > 1000000000000000
    or abs(new.held_change_micros) > 1000000000000000
  then
    perform ledger_broken('the amounts do not fit the kind', new.id);
  end if;
  if new.kind in ('hold', 'capture', 'release') then
    fits := new.key = new.kind || ':' || new.job_id;
  elsif new.kind = 'grant' then
    fits := new.key = 'grant:' || new.account_id || ':'
      || to_char(new.created_at at time zone 'UTC', 'YYYY-MM');
  else
    fits := starts_with(new.key, new.kind || ':') and length(new.key) > length(new.kind) + 1;
  end if;
  if fits is not true then
    perform ledger_broken('the key does not name the transaction', new.id);
  end if;
  if length(new.key) > 300 or length(new.description) not between 1 and 500
    or pg_column_size(new.metadata) > 8000
    or (new.bonus_percentage is not null and new.bonus_percentage not between 0 and 100)
  then
    perform ledger_broken('a text is out of bounds', new.id);
  end if;
  -- A job that costs nothing moves nothing, so no entries will come; it still has its place in time.
  if new.amount_micros = 0 and new.held_change_micros = 0 and new.kind <> 'refund' then
    update ledger_wallets set last_at = new.created_at
    where account_id = new.account_id and last_at <= new.created_at
      and available_micros + debt_micros = new.balance_after_micros;
    if not found then
      perform ledger_broken('the transaction does not follow from the one before it', new.id);
    end if;
  end if;
  return new;
end $$;

create trigger fits before insert on ledger_transactions
  for each row execute function ledger_check_transaction();

-- Posting -----------------------------------------------------------------------------------

-- Checks each transaction whose entries arrived and carries them into the sums. The entries of a
-- transaction are the lines 1..n of one statement: a later statement would need line 1 again, which
-- the primary key refuses. So the sum is checked at once, and nothing can be added after the check.
-- One statement posts for one account and one job.
create function ledger_post() returns trigger language plpgsql as $$
declare
  posting record;
  owner uuid;
  job uuid;
  balance bigint;
  began timestamptz;
  ended timestamptz;
  available bigint := 0;
  held bigint := 0;
  debt bigint := 0;
  cash bigint := 0;
  bonus bigint := 0;
  held_lines bigint := 0;
  holding boolean;
  fits boolean;
begin
  for posting in
    select e.transaction_id as id, t.account_id, t.kind, t.job_id, t.amount_micros,
      t.held_change_micros, t.balance_after_micros, t.created_at,
      sum(e.amount_micros) as total, count(*) as lines, max(e.line) as last_line,
      count(*) filter (where e.book = 'held') as held_lines,
      bool_and(e.line > 0 and e.amount_micros <> 0 and (e.lot_id is null) = (e.book = 'debt')
        and e.book in ('available', 'held', 'debt', 'cash', 'free', 'bonus', 'adjustment',
          'revenue', 'lapsed')) as wellformed,
      coalesce(sum(e.amount_micros) filter (where e.book = 'available'), 0)::bigint as available,
      coalesce(sum(e.amount_micros) filter (where e.book = 'held'), 0)::bigint as held,
      coalesce(sum(e.amount_micros) filter (where e.book = 'debt'), 0)::bigint as debt,
      coalesce(sum(e.amount_micros) filter (where e.book = 'cash'), 0)::bigint as cash,
      coalesce(sum(e.amount_micros) filter (where e.book = 'bonus'), 0)::bigint as bonus
    from added e left join ledger_transactions t on t.id = e.transaction_id
    group by e.transaction_id, t.id order by t.seq
  loop
    if posting.total <> 0 then
      perform ledger_broken('entries do not sum to zero', posting.id);
    end if;
    if posting.last_line <> posting.lines or not posting.wellformed then
      perform ledger_broken('the entries are not the lines 1..n of one statement', posting.id);
    end if;
    if posting.available + posting.held + posting.debt is distinct from posting.amount_micros
      or posting.held is distinct from posting.held_change_micros
      or (posting.amount_micros = 0 and posting.held = 0 and posting.kind <> 'refund')
    then
      perform ledger_broken('entries do not add up to their transaction', posting.id);
    end if;
    if posting.account_id <> coalesce(owner, posting.account_id)
      or posting.job_id is distinct from coalesce(job, posting.job_id)
      or (posting.held_lines > 0
        and (posting.kind = 'hold') <> coalesce(holding, posting.kind = 'hold'))
    then
      perform ledger_broken('one statement posts for one account and one job', posting.id);
    end if;
    if posting.balance_after_micros <> coalesce(balance, posting.balance_after_micros
        - posting.amount_micros + posting.held) + posting.amount_micros - posting.held
      or (posting.kind = 'hold' and posting.balance_after_micros < 0)
      or posting.created_at < ended
    then
      perform ledger_broken('the transaction does not follow from the one before it', posting.id);
    end if;
    owner := posting.account_id;
    job := posting.job_id;
    balance := posting.balance_after_micros;
    began := coalesce(began, posting.created_at);
    ended := posting.created_at;
    available := available + posting.available;
    held := held + posting.held;
    debt := debt + posting.debt;
    cash := cash + posting.cash;
    bonus := bonus + posting.bonus;
    held_lines := held_lines + posting.held_lines;
    if posting.held_lines > 0 then
      holding := posting.kind = 'hold';
    end if;
  end loop;
  if owner is null then
    return null;
  end if;

  update ledger_wallets set
    available_micros = available_micros + available,
    held_micros = held_micros + held,
    debt_micros = debt_micros + debt,
    charged_micros = charged_micros - cash,
    bonus_micros = bonus_micros - bonus,
    last_at = ended
  where account_id = owner and last_at <= began
  returning available_micros + debt_micros = balance into fits;
  if fits is not true then
    perform ledger_broken('the transaction does not follow from the one before it', owner);
  end if;

  with moved as (
    select lot_id, sum(amount_micros)::bigint as micros from added
    where book = 'available' group by lot_id
  ), done as (
    update ledger_lots l set available_micros = l.available_micros + moved.micros,
      spendable = l.available_micros + moved.micros > 0
    from moved where l.id = moved.lot_id and l.account_id = owner returning 1
  )
  select (select count(*) from moved) = (select count(*) from done) into fits;
  if not fits then
    perform ledger_broken('a lot is not of this account', owner);
  end if;

  if held_lines = 0 then
    return null;
  elsif holding then
    with moved as (
      select lot_id, sum(amount_micros)::bigint as micros from added
      where book = 'held' group by lot_id
    ), done as (
      insert into ledger_holds (job_id, lot_id, account_id, held_micros)
      select job, l.id, owner, moved.micros
      from moved join ledger_lots l on l.id = moved.lot_id and l.account_id = owner returning 1
    )
    select (select count(*) from moved) = (select count(*) from done) into fits;
  else
    with moved as (
      select lot_id, sum(amount_micros)::bigint as micros from added
      where book = 'held' group by lot_id
    ), done as (
      update ledger_holds h set held_micros = h.held_micros + moved.micros from moved
      where h.job_id = job and h.lot_id = moved.lot_id and h.account_id = owner returning 1
    )
    select (select count(*) from moved) = (select count(*) from done) into fits;
  end if;
  if not fits then
    perform ledger_broken('a held part is not of this job', owner);
  end if;
  return null;
end $$;

create trigger post after insert on ledger_entries referencing new table as added
  for each statement execute function ledger_post();

-- At commit: a transaction that moves money has entries, and a $0 one has none to have.
create function ledger_require_entries() returns trigger language plpgsql as $$
begin
  if (new.amount_micros <> 0 or new.held_change_micros <> 0 or new.kind = 'refund')
    and not exists (select from ledger_entries where transaction_id = new.id)
  then
    perform ledger_broken('a transaction has no entries', new.id);
  end if;
  return null;
end $$;

create constraint trigger has_entries after insert on ledger_transactions
  deferrable initially deferred for each row execute function ledger_require_entries();

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

-- Writes one transaction with its entries.
create function ledger_write(
  in_id uuid, in_account uuid, in_kind text, in_key text, in_job uuid, in_reverses uuid,
  in_amount bigint, in_held_change bigint, in_balance_after bigint, in_description text,
  in_metadata jsonb, in_bonus_percentage int, in_at timestamptz,
  books text[], lots uuid[], amounts bigint[]
) returns void language plpgsql as $$
begin
  with written as (
    insert into ledger_transactions (id, account_id, kind, key, job_id, reverses, amount_micros,
      held_change_micros, balance_after_micros, description, metadata, bonus_percentage, created_at)
    values (in_id, in_account, in_kind, in_key, in_job, in_reverses, in_amount, in_held_change,
      in_balance_after, in_description, in_metadata, in_bonus_percentage, in_at)
  )
  insert into ledger_entries (transaction_id, line, book, lot_id, amount_micros)
  select in_id, line, book, lot_id, micros
  from unnest(books, lots, amounts) with ordinality as e (book, lot_id, micros, line);
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
    wallet.available_micros := wallet.available_micros - lot.available_micros;
    wallet.last_at := greatest(lot.expires_at, wallet.last_at);
    perform ledger_write(gen_random_uuid(), wallet.account_id, 'expire', 'expire:' || lot.id,
      null, null, -lot.available_micros, 0, wallet.available_micros + wallet.debt_micros,
      'Free credit expired', '{}', null, wallet.last_at,
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
  perform ledger_write_sparse(wallet, opened, in_kind, this_key, null, null, in_price + in_bonus,
    in_description, in_metadata, in_bonus_percentage, at, books, lots, amounts);
  return jsonb_build_object('ok', true, 'transactionId', opened, 'creditedMicros',
    in_price + in_bonus, 'availableMicros',
    wallet.available_micros + wallet.debt_micros + in_price + in_bonus);
end $$;

-- As ledger_write, outside the hot path: lines that come to nothing are left out.
create function ledger_write_sparse(
  wallet ledger_wallets, in_id uuid, in_kind text, in_key text, in_job uuid, in_reverses uuid,
  in_amount bigint, in_description text, in_metadata jsonb, in_bonus_percentage int,
  in_at timestamptz, books text[], lots uuid[], amounts bigint[]
) returns void language plpgsql as $$
begin
  select array_agg(book order by line), array_agg(lot_id order by line),
    array_agg(micros order by line)
  into books, lots, amounts
  from unnest(books, lots, amounts) with ordinality as e (book, lot_id, micros, line)
  where micros <> 0;
  perform ledger_write(in_id, wallet.account_id, in_kind, in_key, in_job, in_reverses, in_amount, 0,
    wallet.available_micros + wallet.debt_micros + in_amount, in_description, in_metadata,
    in_bonus_percentage, in_at, books, lots, amounts);
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
  perform ledger_write_sparse(wallet, opened, 'adjust', this_key, null, null, in_amount,
    in_description, in_metadata, null, at, array['adjustment', 'available', 'debt'],
    array[lot_of, lot_of, null], array[-in_amount, in_amount - paid_off, paid_off]);
  return jsonb_build_object('ok', true, 'transactionId', opened, 'creditedMicros', in_amount,
    'availableMicros', wallet.available_micros + wallet.debt_micros + in_amount);
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
  perform ledger_write(opened, in_account, 'grant', this_key, null, null, in_amount, 0,
    wallet.available_micros + wallet.debt_micros + in_amount, 'Free monthly credit', '{}', null,
    at, array['free', 'available'], array[lot_of, lot_of], array[-in_amount, in_amount]);
  return jsonb_build_object('ok', true, 'transactionId', opened, 'creditedMicros', in_amount,
    'availableMicros', wallet.available_micros + wallet.debt_micros + in_amount);
end $$;

-- Holds -------------------------------------------------------------------------------------

create function ledger_place_hold(
  in_account uuid, in_job uuid, in_amount bigint, in_now timestamptz
) returns jsonb language plpgsql as $$
declare
  wallet ledger_wallets := ledger_lock(in_account);
  this_key text := 'hold:' || in_job;
  seen record;
  opened uuid;
  at timestamptz;
  balance bigint;
  missing bigint := in_amount;
  part bigint;
  lot record;
  books text[] := '{}';
  lots uuid[] := '{}';
  amounts bigint[] := '{}';
begin
  select id, account_id, held_change_micros, balance_after_micros into seen
  from ledger_transactions where key = this_key;
  if found then
    if seen.account_id <> in_account or seen.held_change_micros <> in_amount then
      perform ledger_conflict(this_key);
    end if;
    return jsonb_build_object('ok', true, 'transactionId', seen.id, 'heldMicros', in_amount,
      'availableMicros', seen.balance_after_micros);
  end if;
  at := greatest(in_now, wallet.last_at);
  wallet := ledger_lapse(wallet, at);
  balance := wallet.available_micros + wallet.debt_micros;
  if in_amount > balance then
    return jsonb_build_object('ok', false, 'reason', 'insufficient', 'requiredMicros', in_amount,
      'availableMicros', balance);
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
  balance := balance - in_amount;
  perform ledger_write(opened, in_account, 'hold', this_key, in_job, null, 0, in_amount, balance,
    'Held for a job', '{}', null, at, books, lots, amounts);
  return jsonb_build_object('ok', true, 'transactionId', opened, 'heldMicros', in_amount,
    'availableMicros', balance);
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
-- expired by now lapses. in_amount null: a release of everything. Both transactions of a capture
-- that leaves a rest are written by one statement.
create function ledger_close_hold(
  in_job uuid, in_amount bigint, in_description text, in_metadata jsonb, in_now timestamptz
) returns jsonb language plpgsql as $$
declare
  hold record;
  ended record;
  wallet ledger_wallets;
  at timestamptz;
  charge bigint := coalesce(in_amount, 0);
  part record;
  taken bigint;
  given bigint;
  paid_off bigint;
  owed bigint;
  balance bigint;
  released bigint := 0;
  lapsed bigint := 0;
  capture_id uuid := gen_random_uuid();
  release_id uuid := gen_random_uuid();
  ids uuid[] := '{}';
  lines int[] := '{}';
  books text[] := '{}';
  lots uuid[] := '{}';
  amounts bigint[] := '{}';
  captured_lines int := 0;
  released_lines int := 0;
begin
  select account_id, held_change_micros into hold
  from ledger_transactions where key = 'hold:' || in_job;
  if not found then
    return jsonb_build_object('ok', false, 'reason', 'no_hold');
  end if;
  wallet := ledger_lock(hold.account_id);
  select kind, amount_micros into ended from ledger_transactions
  where key in ('capture:' || in_job, 'release:' || in_job) order by kind limit 1;
  if found then
    if (ended.kind = 'capture') <> (in_amount is not null) then
      return jsonb_build_object('ok', false, 'reason', ended.kind || 'd');
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
      ids := ids || array[capture_id, capture_id];
      lines := lines || array[captured_lines + 1, captured_lines + 2];
      captured_lines := captured_lines + 2;
      books := books || '{held,revenue}'::text[];
      lots := lots || array[part.lot_id, part.lot_id];
      amounts := amounts || array[-taken, taken];
    end if;
    continue when given = 0;
    -- Free credit is not taken for a debt: it would lapse anyway.
    paid_off := case when part.expires_at is null then least(owed, given) else 0 end;
    if part.expires_at <= at then
      lapsed := lapsed + given;
    else
      released := released + given;
    end if;
    ids := ids || release_id;
    lines := lines || (released_lines + 1);
    released_lines := released_lines + 1;
    books := books || 'held'::text;
    lots := lots || part.lot_id;
    amounts := amounts || -given;
    if given > paid_off then
      ids := ids || release_id;
      lines := lines || (released_lines + 1);
      released_lines := released_lines + 1;
      books := books || case when part.expires_at <= at then 'lapsed' else 'available' end;
      lots := lots || part.lot_id;
      amounts := amounts || (given - paid_off);
    end if;
    if paid_off > 0 then
      owed := owed - paid_off;
      ids := ids || release_id;
      lines := lines || (released_lines + 1);
      released_lines := released_lines + 1;
      books := books || 'debt'::text;
      lots := lots || null::uuid;
      amounts := amounts || paid_off;
    end if;
  end loop;
  balance := wallet.available_micros + wallet.debt_micros;
  with written as (
    insert into ledger_transactions (id, account_id, kind, key, job_id, amount_micros,
      held_change_micros, balance_after_micros, description, metadata, created_at)
    select id, hold.account_id, kind, kind || ':' || in_job, in_job, amount, held_change, after,
      description, metadata, at
    from (values
      (capture_id, 'capture', -in_amount, -in_amount, balance, in_description, in_metadata,
        in_amount is not null),
      (release_id, 'release', -lapsed, -(released + lapsed), balance + released,
        case when lapsed > 0 then 'Free credit expired' else 'Released from a job' end,
        '{}'::jsonb, in_amount is null or released + lapsed > 0)
    ) as t (id, kind, amount, held_change, after, description, metadata, wanted) where wanted
  )
  insert into ledger_entries (transaction_id, line, book, lot_id, amount_micros)
  select e.id, e.line, e.book, e.lot_id, e.micros
  from unnest(ids, lines, books, lots, amounts) as e (id, line, book, lot_id, micros);
  return jsonb_build_object('ok', true,
    'transactionId', case when in_amount is null then release_id else capture_id end,
    'capturedMicros', coalesce(in_amount, 0), 'releasedMicros', released, 'lapsedMicros', lapsed,
    'availableMicros', balance + released);
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
  perform ledger_write_sparse(wallet, opened, 'refund', this_key, in_job, capture.id,
    total - lapsed, in_description, in_metadata, null, at, books, lots, amounts);
  return jsonb_build_object('ok', true, 'transactionId', opened, 'refundedMicros', total - lapsed,
    'lapsedMicros', lapsed,
    'availableMicros', wallet.available_micros + wallet.debt_micros + total - lapsed);
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
  perform ledger_write_sparse(wallet, opened, 'chargeback', this_key, null, purchase.id,
    -(total + revoked), in_description, in_metadata, null, at, books, lots, amounts);
  return jsonb_build_object('ok', true, 'transactionId', opened, 'reversedMicros', total,
    'revokedBonusMicros', revoked,
    'availableMicros', wallet.available_micros + wallet.debt_micros - total - revoked);
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

-- Plans are made once for each connection, often while the tables are small. Every look-up here is
-- by an index, so a plan made on an empty table must not fall for reading it whole.
alter function ledger_post() set enable_seqscan = off;
alter function ledger_require_entries() set enable_seqscan = off;
alter function ledger_credit_package set enable_seqscan = off;
alter function ledger_adjust set enable_seqscan = off;
alter function ledger_grant_free_credit set enable_seqscan = off;
alter function ledger_place_hold set enable_seqscan = off;
alter function ledger_close_hold set enable_seqscan = off;
alter function ledger_refund set enable_seqscan = off;
alter function ledger_chargeback set enable_seqscan = off;
alter function ledger_expire set enable_seqscan = off;
