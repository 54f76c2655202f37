-- A save that names the version it was made from is refused where somebody saved another meanwhile.
alter table jobs add column review_version int not null default 0;
