-- A resumable upload may be meant for a project; one that is gone by its end means no project.
alter table content_resumables
  add column project_id uuid references projects (id) on delete set null;

-- The names and terms that the recogniser is given, as they were when the job was placed.
alter table jobs add column vocabulary jsonb not null default '[]';
