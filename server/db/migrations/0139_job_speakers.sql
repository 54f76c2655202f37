-- How many people speak, where that was set by hand.
alter table jobs add column speakers smallint;
