-- All options of a job in one object (domain/job-options.ts); one that is not set is absent.
alter table jobs add column options jsonb not null default '{}';
update jobs set options = jsonb_strip_nulls(jsonb_build_object(
  'in', in_seconds, 'out', out_seconds, 'speakers', speakers, 'language', language,
  'translate', nullif(translate, false), 'vocabulary', nullif(vocabulary, '[]')));
alter table jobs
  drop column in_seconds, drop column out_seconds, drop column speakers,
  drop column language, drop column translate, drop column vocabulary;

-- The contract lists the kinds of passages (`passageKinds`).
alter table job_passages drop constraint job_passages_kind_check;
