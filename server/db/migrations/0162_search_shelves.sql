-- A search reads the passages of an account shelf by shelf, the newest first, and stops at the first
-- few hundred matches. PostgreSQL's full text index cannot stop early: it reads every place of a
-- word, of all accounts, and of each word with that beginning. So every term of the index is led by
-- the number of its shelf, and one look-up reads 32,768 passages of one account at most.
create table job_shelves (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts (id) on delete cascade
);
create index job_shelves_of_account on job_shelves (account_id, id desc);

alter table job_passages add column shelf bigint;
insert into job_shelves (account_id)
  select account_id from (
    select account_id, generate_series(0, (count(*) - 1) / 32768) from job_passages
    group by account_id
  ) needed;
update job_passages p set shelf = s.id
  from (
    select id, account_id, (row_number() over (partition by account_id order by id) - 1) / 32768
      as place
    from job_passages
  ) numbered
  join (
    select id, account_id, row_number() over (partition by account_id order by id) - 1 as place
    from job_shelves
  ) s using (account_id, place)
  where p.id = numbered.id;
alter table job_passages alter column shelf set not null;
create index job_passages_of_shelf on job_passages (shelf);

-- The price keeps the planner from computing it for each row of the table.
create function job_shelved_terms(shelf bigint, terms tsvector) returns tsvector
language plpgsql immutable strict parallel safe cost 1000 as $$
begin
  -- A term has 2,046 bytes at most.
  if octet_length(terms::text) > 2000 then
    terms := ts_delete(terms,
      array(select lexeme from unnest(terms) where octet_length(lexeme) > 2000));
  end if;
  return regexp_replace(terms::text, '''((?:[^'']|'''')*)''',
    '''' || to_hex(shelf) || '/\1''', 'g')::tsvector;
end
$$;
drop index job_passages_terms;
-- Entries are sorted in at once: a list of unsorted ones would be read again for each shelf.
create index job_passages_terms on job_passages using gin (job_shelved_terms(shelf, terms))
  with (fastupdate = off);
