-- Where no sound matched, the item that a person placed first is the one that others are placed by.
alter table sync_placements add column is_reference boolean not null default false;
