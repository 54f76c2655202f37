-- Signals of two versions of the engine are never joined: the version that took the film apart, or that
-- began again with it. Films that are apart when this is applied begin again.
alter table jobs add column measures_version int not null default 0;
