-- A sync's work is a job of its own kind, so queue, lease, hold and charge are those of every job
-- (server/work/claim.ts). server/jobs is the only writer.

alter table jobs add column kind text not null default 'analysis'
  check (kind in ('analysis', 'sync'));
create index jobs_syncs on jobs (account_id, seq desc) where kind = 'sync';

-- The contents of a job that is about several.
create table job_items (
  job_id uuid not null references jobs (id) on delete cascade,
  position smallint not null,
  -- No reference: the sync still shows a clip that was deleted.
  content_id uuid not null,
  content_url text not null,
  content_name text not null,
  content_sha256 text,
  media jsonb not null,
  seconds int not null check (seconds >= 0),
  quoted_micros bigint not null check (quoted_micros >= 0),
  primary key (job_id, position)
);
