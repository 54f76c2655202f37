-- Which of the workers keeps house for all of them (server/work/leader.ts).

create table keeper (
  is_only boolean primary key default true check (is_only),
  -- Made up by the process when it starts; null before the first.
  holder uuid,
  leased_until timestamptz not null default '-infinity'
);
insert into keeper default values;
