-- Room that plain uploads under way take. A resumable upload is its own reservation: its row holds
-- the size that it will have.
create table content_reservations (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  bytes bigint not null check (bytes >= 0),
  -- Renewed while bytes arrive, so that a process that dies gives the room back.
  expires_at timestamptz not null
);
create index content_reservations_account on content_reservations (account_id);
create index content_reservations_expiry on content_reservations (expires_at);
