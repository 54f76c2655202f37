-- The ledger's operations. server/billing/ledger.ts explains the mechanism; tables, constraints and
-- the triggers that refuse a breach are in server/db/migrations/0006_ledger.sql. Starting the
-- product applies this file again whenever it has changed (server/db/migrate.ts).

-- Building blocks ---------------------------------------------------------------------------

-- Every operation begins here: one at a time for each account.
create or replace function ledger_lock(in_account uuid)
returns ledger_wallets language plpgsql as $$
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
create or replace function ledger_write(
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
create or replace function ledger_lapse(wallet ledger_wallets, in_at timestamptz)
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

create or replace function ledger_conflict(in_key text) returns void language plpgsql as $$
begin
  raise exception 'ledger: key % was used before with other values', in_key
    using errcode = 'unique_violation';
end $$;

-- Credit in ---------------------------------------------------------------------------------

-- Opens a paid lot and, where there is one, a bonus lot, and answers the entries that fill them.
-- Debt is paid first.
create or replace function ledger_open_lots(
  wallet ledger_wallets, in_opened_by uuid, in_money bigint, in_bonus bigint,
  out books text[], out lots uuid[], out amounts bigint[]
) language plpgsql as $$
declare
  owed bigint := -wallet.debt_micros;
  paid_off bigint;
  lot_of uuid;
  source record;
begin
  for source in
    select * from (values ('paid', 'cash', in_money), ('bonus', 'bonus', in_bonus))
      as s (kind, book, micros) where micros <> 0
  loop
    lot_of := gen_random_uuid();
    insert into ledger_lots (id, account_id, kind, opened_by, granted_micros)
    values (lot_of, wallet.account_id, source.kind, in_opened_by, source.micros);
    paid_off := least(owed, source.micros);
    owed := owed - paid_off;
    books := books || source.book || 'available'::text || 'debt'::text;
    lots := lots || lot_of || lot_of || null::uuid;
    amounts := amounts || -source.micros || (source.micros - paid_off) || paid_off;
  end loop;
end $$;

-- A package bought by hand (purchase) or by auto-reload (reload): the price becomes a paid lot, the
-- bonus a bonus lot.
create or replace function ledger_credit_package(
  in_kind text, in_account uuid, in_reference text, in_price bigint, in_bonus bigint,
  in_bonus_percentage int, in_description text, in_metadata jsonb, in_now timestamptz
) returns jsonb language plpgsql as $$
declare
  wallet ledger_wallets := ledger_lock(in_account);
  this_key text := in_kind || ':' || in_reference;
  seen ledger_transactions;
  opened uuid := gen_random_uuid();
  at timestamptz;
  lines record;
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
  lines := ledger_open_lots(wallet, opened, in_price, in_bonus);
  perform ledger_write_sparse(wallet, opened, in_kind, this_key, null, null, in_price + in_bonus,
    in_description, in_metadata, in_bonus_percentage, at, lines.books, lines.lots, lines.amounts);
  return jsonb_build_object('ok', true, 'transactionId', opened, 'creditedMicros',
    in_price + in_bonus, 'availableMicros',
    wallet.available_micros + wallet.debt_micros + in_price + in_bonus);
end $$;

-- As ledger_write, outside the hot path: lines that come to nothing are left out.
create or replace function ledger_write_sparse(
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
create or replace function ledger_adjust(
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
create or replace function ledger_grant_free_credit(
  in_account uuid, in_amount bigint, in_now timestamptz)
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

create or replace function ledger_place_hold(
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

-- The answer of a capture or a release, now or when it happened.
create or replace function ledger_hold_outcome(in_job uuid) returns jsonb language sql stable as $$
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
create or replace function ledger_close_hold(
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
create or replace function ledger_refund(
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

-- Brings what of a purchase went back to its card to in_reversed: the provider's present sum of
-- refunds and disputes. The difference is taken or returned; the same sum again changes nothing. So
-- the order in which the provider's events arrive, and how often, cannot matter. The sum may exceed
-- the price: a refund and a lost dispute both take it.
create or replace function ledger_settle_reversal(
  in_purchase text, in_reversed bigint, in_description text, in_metadata jsonb, in_now timestamptz
) returns jsonb language plpgsql as $$
declare
  purchase ledger_transactions;
  wallet ledger_wallets;
  changed uuid;
  at timestamptz;
  price bigint;
  bonus bigint;
  -- Money and bonus that went back by now, and the bonus that goes with in_reversed.
  before bigint;
  revoked bigint;
  due bigint;
  steps bigint;
  suffix text;
begin
  select * into purchase from ledger_transactions
  where key = in_purchase and kind in ('purchase', 'reload');
  if not found then
    return jsonb_build_object('ok', false, 'reason', 'no_purchase');
  end if;
  wallet := ledger_lock(purchase.account_id);
  select sum(granted_micros) filter (where kind = 'paid'),
    coalesce(sum(granted_micros) filter (where kind = 'bonus'), 0)
  into price, bonus from ledger_lots where opened_by = purchase.id;
  -- An earlier version returned a won dispute as a credit from support; both sides are left out.
  select coalesce(sum(e.amount_micros) filter (where e.book = 'cash' and not won), 0),
    coalesce(sum(e.amount_micros) filter (where e.book = 'bonus' and not won), 0),
    count(distinct t.id)
  into before, revoked, steps
  from (
    select r.id, exists (select from ledger_transactions a
      where a.key = 'adjust:dispute-won:' || substr(r.key, length('chargeback:') + 1)) as won
    from ledger_transactions r where r.reverses = purchase.id
  ) t join ledger_entries e on e.transaction_id = t.id;
  suffix := ':' || in_purchase || ':' || steps + 1;
  due := div(bonus::numeric * least(in_reversed, price), price)::bigint;
  if in_reversed <> before then
    at := greatest(in_now, wallet.last_at);
    wallet := ledger_lapse(wallet, at);
    changed := gen_random_uuid();
  end if;
  if in_reversed > before then
    revoked := revoked + ledger_take_back(wallet, changed, purchase.id, 'chargeback' || suffix,
      in_reversed - before, due - revoked, in_description, in_metadata, at);
  elsif in_reversed < before then
    perform ledger_give_back(wallet, changed, purchase.id, 'reinstate' || suffix,
      before - in_reversed, greatest(revoked - due, 0), in_description, in_metadata, at);
    revoked := least(revoked, due);
  end if;
  select * into wallet from ledger_wallets where account_id = purchase.account_id;
  return jsonb_build_object('ok', true, 'transactionId', changed, 'reversedMicros', in_reversed,
    'revokedBonusMicros', revoked,
    'availableMicros', wallet.available_micros + wallet.debt_micros);
end $$;

-- Revokes in_bonus of a purchase's bonus as far as it is left, takes in_money from the purchase's
-- own lots, then from other lasting credit, then as debt. Answers the bonus that it revoked.
create or replace function ledger_take_back(
  wallet ledger_wallets, in_id uuid, in_purchase uuid, in_key text, in_money bigint,
  in_bonus bigint, in_description text, in_metadata jsonb, in_at timestamptz
) returns bigint language plpgsql as $$
declare
  own uuid[];
  revoked bigint := 0;
  revoked_lots uuid[] := '{}';
  revoked_parts bigint[] := '{}';
  missing bigint := in_money;
  part bigint;
  lot record;
  books text[];
  lots uuid[];
  amounts bigint[];
begin
  select array_agg(l.id) into own from ledger_lots l where l.opened_by = any (
    in_purchase || array(select id from ledger_transactions where reverses = in_purchase));
  select array['cash'], array[id], array[in_money] into books, lots, amounts
  from ledger_lots where opened_by = in_purchase and kind = 'paid';
  for lot in
    select id, available_micros from ledger_lots
    where id = any (own) and kind = 'bonus' and spendable order by seq
  loop
    exit when revoked >= in_bonus;
    part := least(in_bonus - revoked, lot.available_micros);
    revoked := revoked + part;
    revoked_lots := revoked_lots || lot.id;
    revoked_parts := revoked_parts || part;
    books := books || '{bonus,available}'::text[];
    lots := lots || array[lot.id, lot.id];
    amounts := amounts || array[part, -part];
  end loop;
  for lot in
    select l.id, l.available_micros - coalesce(r.part, 0) as left_micros
    from ledger_lots l left join unnest(revoked_lots, revoked_parts) as r (id, part) on r.id = l.id
    where l.account_id = wallet.account_id and l.spendable and l.expires_at is null
    order by l.kind = 'paid' and l.id = any (own) desc, l.kind = 'paid', l.seq
  loop
    exit when missing = 0;
    part := least(missing, lot.left_micros);
    missing := missing - part;
    books := books || 'available'::text;
    lots := lots || lot.id;
    amounts := amounts || -part;
  end loop;
  perform ledger_write_sparse(wallet, in_id, 'chargeback', in_key, null, in_purchase,
    -(in_money + revoked), in_description, in_metadata, null, in_at, books || 'debt'::text,
    lots || null::uuid, amounts || -missing);
  return revoked;
end $$;

-- Money that came back from a card opens lots of its own: the purchase's may have been spent and be
-- refilled by a refund of the job. Debt is paid first.
create or replace function ledger_give_back(
  wallet ledger_wallets, in_id uuid, in_purchase uuid, in_key text, in_money bigint,
  in_bonus bigint, in_description text, in_metadata jsonb, in_at timestamptz
) returns void language plpgsql as $$
declare
  lines record := ledger_open_lots(wallet, in_id, in_money, in_bonus);
begin
  perform ledger_write_sparse(wallet, in_id, 'reinstate', in_key, null, in_purchase,
    in_money + in_bonus, in_description, in_metadata, null, in_at, lines.books, lines.lots,
    lines.amounts);
end $$;

-- Expiry of one account's lots, for the sweep.
create or replace function ledger_expire(in_account uuid, in_now timestamptz) returns jsonb
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
alter function ledger_credit_package set enable_seqscan = off;
alter function ledger_adjust set enable_seqscan = off;
alter function ledger_grant_free_credit set enable_seqscan = off;
alter function ledger_place_hold set enable_seqscan = off;
alter function ledger_close_hold set enable_seqscan = off;
alter function ledger_refund set enable_seqscan = off;
alter function ledger_settle_reversal set enable_seqscan = off;
alter function ledger_expire set enable_seqscan = off;
alter function ledger_take_back set enable_seqscan = off;
alter function ledger_open_lots set enable_seqscan = off;
