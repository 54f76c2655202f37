-- Who changed what, when and from where; retention keeps a year. An entry is written before its
-- call runs and closed after it: a process that dies between the two leaves an entry without an
-- end, never a change without an entry.
create table audit_entries (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- The endpoint's name in the contract.
  action text not null,
  actor_kind text not null check (actor_kind in ('session', 'key')),
  actor_id uuid not null,
  address text not null,
  object_id text,
  at timestamptz not null,
  ended_at timestamptz
);
create index audit_entries_of_account on audit_entries (account_id, id desc);
create index audit_entries_age on audit_entries (at);
