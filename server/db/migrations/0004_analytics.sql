-- How often a page was seen and an event happened on a day (UTC). No person, no address, no time of
-- day: every column but the count comes from a closed list, so that the table grows by days alone.
create table analytics_counts (
  day date not null,
  name text not null,
  path text not null,
  detail text not null,
  count bigint not null check (count > 0),
  primary key (day, name, path, detail)
);
