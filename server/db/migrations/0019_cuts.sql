-- Rough cuts: ranges of a project's clips, saved by version.

-- The newest version, as lists show it. A deleted project leaves its cuts.
create table cuts (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  project_id uuid references projects (id) on delete set null,
  name text not null check (length(name) between 1 and 200),
  version int not null check (version > 0),
  range_count int not null check (range_count >= 0),
  frames bigint not null check (frames >= 0),
  seconds double precision not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index cuts_of_account on cuts (account_id, updated_at desc, id);
create index cuts_of_project on cuts (project_id) where project_id is not null;

create table cut_versions (
  cut_id uuid not null references cuts (id) on delete cascade,
  version int not null check (version > 0),
  -- Settings, ranges, and what was known of each source when it was saved.
  document jsonb not null,
  saved_at timestamptz not null,
  primary key (cut_id, version)
);
