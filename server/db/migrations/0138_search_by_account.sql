-- A search reads one account's entries of the index: one large account no longer slows the others.
-- Every search also reads the list of entries that are not yet sorted in, so it is kept short.
create extension if not exists btree_gin;
drop index job_passages_terms;
drop index job_passages_trigrams;
create index job_passages_terms on job_passages using gin (account_id, terms)
  with (gin_pending_list_limit = 64);
-- Only what people said or wrote is found by likeness.
create index job_passages_trigrams on job_passages using gin (account_id, text gin_trgm_ops)
  with (gin_pending_list_limit = 256) where kind in ('word', 'text', 'screen');
create index jobs_names on jobs using gin (account_id, content_name gin_trgm_ops)
  with (gin_pending_list_limit = 64);
