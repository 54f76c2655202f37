-- E-mail that waits, was sent or was set aside. A row is written in the transaction of its cause;
-- `cause` names that once, so that whatever crashes or runs twice makes one message.
create table mails (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  kind text not null,
  cause text not null check (length(cause) between 1 and 200),
  -- Subject, lines, facts and the link: server/mail/content.ts.
  content jsonb not null,
  created_at timestamptz not null,
  tries smallint not null default 0,
  -- Due from here on. A try moves it ahead first, so that two workers do not send the same row.
  next_try_at timestamptz not null,
  last_error text,
  outcome text check (outcome in ('sent', 'unwanted', 'dead')),
  ended_at timestamptz,
  unique (account_id, kind, cause),
  check ((outcome is null) = (ended_at is null))
);
create index mails_due on mails (next_try_at) where outcome is null;
create index mails_dead on mails (ended_at) where outcome = 'dead';
create index mails_age on mails (created_at);

-- Kinds that a person switched on or off; a kind without a row follows its default.
create table mail_choices (
  account_id uuid not null references accounts (id) on delete cascade,
  kind text not null,
  wanted boolean not null,
  chosen_at timestamptz not null,
  primary key (account_id, kind)
);
