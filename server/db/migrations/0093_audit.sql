-- Who changed what, when and from where. server/audit is the only writer; retention keeps a year.
create table audit_entries (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- The endpoint's name in the contract.
  action text not null,
  actor_kind text not null check (actor_kind in ('session', 'key')),
  actor_id uuid not null,
  address text not null,
  object_id text,
  at timestamptz not null
);
create index audit_entries_of_account on audit_entries (account_id, id desc);
create index audit_entries_age on audit_entries (at);
