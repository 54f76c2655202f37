-- Text that is read off the picture is found by search too.
alter table job_passages drop constraint job_passages_kind_check;
alter table job_passages add constraint job_passages_kind_check
  check (kind in ('word', 'shot', 'talking', 'cutpoint', 'text', 'screen'));
