-- Syncs: the name of one, and what a person moved.

create table syncs (
  id uuid primary key references jobs (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null
);
create index syncs_of_account on syncs (account_id);

-- Where a person put an item: exact seconds of the reference of a group.
create table sync_placements (
  sync_id uuid not null references syncs (id) on delete cascade,
  content_id uuid not null,
  group_number smallint not null,
  offset_time text not null,
  -- Where no sound matched, the item that was placed first is the one that others are placed by.
  is_reference boolean not null default false,
  primary key (sync_id, content_id)
);
