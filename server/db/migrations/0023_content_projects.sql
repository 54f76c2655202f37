-- An item is in one project or in none. A deleted project leaves its items in the library.
alter table content add column project_id uuid references projects (id) on delete set null;
create index content_of_project on content (project_id, created_at desc, id desc)
  where project_id is not null;
create index content_by_name on content (account_id, lower(file_name), id);
