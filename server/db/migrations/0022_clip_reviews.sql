-- Selects of clips that no job has analysed. The first job of such a clip begins with them.
create table clip_reviews (
  content_id uuid primary key references content (id) on delete cascade,
  review jsonb not null,
  version int not null default 1
);
