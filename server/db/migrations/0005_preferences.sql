-- What a person set once for all of their work; only the fields that were set are there.
alter table accounts add column preferences jsonb not null default '{}';
