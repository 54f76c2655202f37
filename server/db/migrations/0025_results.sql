-- Words, shots or people, for the library: counting them in the findings of each list takes long.
alter table job_results add counted int generated always as (
  case extractor
    when 'transcription' then json_array_length(findings->'words')
    when 'shots' then json_array_length(findings->'shots')
    when 'talking' then json_array_length(findings->'faces')
  end) stored;

-- Published for the library. An extractor that has not ended has no result.
create view content_counts as
select e.job_id, e.extractor, r.counted
from job_extractors e join job_results r on r.id = e.result_id
where r.counted is not null;
