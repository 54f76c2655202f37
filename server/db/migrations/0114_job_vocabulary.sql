-- The names and terms that the recogniser is given, as they were when the job was placed.
alter table jobs add column vocabulary jsonb not null default '[]';
