-- Jobs of a month that cost nothing have a release and no charge: the index of the history leaves them out.
create index ledger_transactions_released on ledger_transactions (account_id, created_at)
  where kind = 'release';
