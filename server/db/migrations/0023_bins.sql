-- Bins: folders inside a project, nested.

create table bins (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  project_id uuid not null references projects (id) on delete cascade,
  parent_id uuid,
  name text not null check (length(name) between 1 and 200),
  position int not null,
  created_at timestamptz not null,
  unique (project_id, id),
  -- A bin is in a bin of its own project.
  foreign key (project_id, parent_id) references bins (project_id, id) on delete cascade
);
create index bins_of_account on bins (account_id);
create index bins_of_parent on bins (parent_id);

-- A bin that is gone by then means none, here as for an upload under way.
alter table content
  add bin_id uuid references bins (id) on delete set null,
  -- -1 is a reject, 0 is not rated.
  add rating smallint not null default 0 check (rating between -1 and 5),
  add keywords text[] not null default '{}' check (cardinality(keywords) <= 30);
alter table content_resumables add bin_id uuid references bins (id) on delete set null;
create index content_of_bin on content (bin_id, created_at desc, id desc) where bin_id is not null;

-- Published for projects.
create view bin_items as
select account_id, bin_id, count(*) as item_count
from content where bin_id is not null group by account_id, bin_id;
