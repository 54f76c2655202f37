-- A resumable upload may be meant for a project; one that is gone by its end means no project.
alter table content_resumables
  add column project_id uuid references projects (id) on delete set null;
