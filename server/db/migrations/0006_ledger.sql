-- The ledger: double entry, append-only, integer micro-dollars. server/billing/ledger.ts explains
-- the mechanism; this file makes a breach of it impossible rather than unlikely. The operations are
-- server/billing/ledger.sql.
--
-- ledger_transactions and ledger_entries are the truth. ledger_wallets, ledger_holds and
-- ledger_lots.available_micros are sums of entries that one trigger keeps; nothing else may write
-- them.

-- A CHECK is read again by every statement that writes its table, so the tables of the hot path
-- have one short CHECK each, for what must never happen; the triggers below check the rest.

-- One row for each account: the lock that orders its money, and the sums that a balance needs.
create table ledger_wallets (
  account_id uuid primary key references accounts (id) on delete restrict,
  available_micros bigint not null default 0,
  held_micros bigint not null default 0,
  -- Taken by a chargeback beyond the credit that was left. It counts against the balance.
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
  -- Gained or lost by the account; moved of its credit into (+) or out of (-) a hold.
  amount_micros bigint not null,
  held_change_micros bigint not null,
  balance_after_micros bigint not null,
  description text not null,
  metadata jsonb not null default '{}',
  bonus_percentage smallint,
  created_at timestamptz not null
);
-- The history that a person sees: everything but holds and plain releases, newest first.
create index ledger_transactions_history on ledger_transactions (account_id, created_at, seq)
  where amount_micros <> 0;
-- Jobs of a month that cost nothing have a release and no charge: the index of the history leaves
-- them out.
create index ledger_transactions_released on ledger_transactions (account_id, created_at)
  where kind = 'release';
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

-- The part of each lot that a job still holds.
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
    when 'reinstate' then
      fits := new.amount_micros > 0 and new.held_change_micros = 0 and new.job_id is null
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
  -- A job that costs nothing moves nothing, so no entries come; it still has its place in time.
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

-- Plans are made once for each connection, often while the tables are small. Every look-up here is
-- by an index, so a plan made on an empty table must not fall for reading it whole.
alter function ledger_post() set enable_seqscan = off;
alter function ledger_require_entries() set enable_seqscan = off;

-- Limits --------------------------------------------------------------------------------------

-- Sums that count against the spend limits of an account and an API key: the hold while a job is
-- open, its cost from then on. Rows outlive their jobs, so that deleting a job frees
-- nothing.
create table spends (
  job_id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- No reference: what a deleted key spent still counts for the account.
  key_id uuid,
  -- The first day of the UTC month in which the hold was placed.
  month date not null,
  micros bigint not null check (micros >= 0)
);
create index spends_of_account on spends (account_id, month) include (micros);
create index spends_of_key on spends (key_id, month) include (micros) where key_id is not null;
