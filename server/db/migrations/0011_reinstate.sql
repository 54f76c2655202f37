-- Money that came back from a card, for instance by a dispute that was won, is a transaction of its
-- own kind that names its purchase, as a chargeback does. The operations are in
-- server/billing/ledger.sql from here on.

create or replace function ledger_check_transaction() returns trigger language plpgsql as $$
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

drop function ledger_chargeback;
