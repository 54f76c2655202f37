-- A job outlives the library's item that it was about; its results stay until their own end.
update jobs set content_id = null
where content_id is not null and not exists (select from content c where c.id = jobs.content_id);
alter table jobs add constraint jobs_content
  foreign key (content_id) references content (id) on delete set null;
