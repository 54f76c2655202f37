-- Text that is read off the picture is found by search too.
alter table job_passages drop constraint job_passages_kind_check;
alter table job_passages add constraint job_passages_kind_check
  check (kind in ('word', 'shot', 'talking', 'cutpoint', 'text', 'screen'));
-- By likeness too, in an index of its own: it is small, and the one of speech is left as it is.
create extension if not exists btree_gin;
create index job_passages_screen on job_passages using gin (account_id, text gin_trgm_ops)
  with (gin_pending_list_limit = 64) where kind = 'screen';
