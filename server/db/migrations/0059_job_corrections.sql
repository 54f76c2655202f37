-- A person's corrections of what was found in a medium: every save is a version of its own. They
-- belong to the media's bytes and stretch, as results do, so another job on the same media has them.
create table job_corrections (
  account_id uuid not null references accounts (id) on delete cascade,
  content_sha256 text not null,
  params text not null,
  version int not null check (version > 0),
  corrections jsonb not null,
  saved_at timestamptz not null,
  primary key (account_id, content_sha256, params, version)
);
