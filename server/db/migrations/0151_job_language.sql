-- The language that is spoken, where it was set by hand, and whether it is translated into English.
alter table jobs add column language text, add column translate boolean not null default false;
