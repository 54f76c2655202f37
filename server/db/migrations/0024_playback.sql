-- Quick proxies of clips that no browser plays (server/playback/quick-proxies.ts has the states).

create table quick_proxies (
  content_id uuid primary key references content (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  -- Frames, and frames per second as a fraction; null until all of it is made.
  frames int check (frames >= 0),
  frame_rate text check ((frame_rate is null) = (frames is null)),
  used_at timestamptz not null
);
create index quick_proxies_of_account on quick_proxies (account_id);
create index quick_proxies_used on quick_proxies (used_at);

create table quick_proxy_segments (
  content_id uuid not null references quick_proxies (content_id) on delete cascade,
  -- 0 begins all others and holds no media.
  position int not null check (position >= 0),
  seconds double precision not null check (seconds >= 0),
  storage_key text not null unique,
  bytes bigint not null check (bytes >= 0),
  primary key (content_id, position)
);
create trigger quick_proxy_segment_deleted after delete on quick_proxy_segments
  for each row execute function list_unowned_objects('storage_key');

-- How much media an account had made on a day, so that it is no free transcoder.
create table quick_proxy_days (
  account_id uuid not null references accounts (id) on delete cascade,
  day date not null,
  seconds double precision not null,
  primary key (account_id, day)
);

-- A quick proxy is work without a job.
alter table work
  alter column job_id drop not null,
  add column content_id uuid unique references quick_proxies (content_id) on delete cascade,
  drop constraint work_kind_check,
  add check (kind in ('whole', 'sound', 'proxy', 'frames', 'voices', 'speech', 'analyse-frames',
    'join', 'quick-proxy')),
  add check ((job_id is null) = (kind = 'quick-proxy') and
    (content_id is null) = (job_id is not null));
