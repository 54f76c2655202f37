-- An entry is written before its call runs and closed after it: a process that dies between the two
-- leaves an entry without an end, never a change without an entry.
alter table audit_entries add column ended_at timestamptz;
update audit_entries set ended_at = at;
