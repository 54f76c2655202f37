-- Among jobs of one turn those go first whose workers died less often.
drop index jobs_waiting;
create index jobs_waiting on jobs (turn, deaths, seq) where status = 'queued';
