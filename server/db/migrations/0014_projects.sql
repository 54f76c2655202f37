-- Projects: folders of content.

create table projects (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null check (length(name) between 1 and 200),
  colour text not null default 'grey',
  note text not null default '' check (length(note) <= 5000),
  frame_rate text,
  drop_frame boolean not null default false,
  start_timecode text,
  media_folder text,
  vocabulary jsonb not null default '[]',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index projects_of_account on projects (account_id, lower(name), id);
