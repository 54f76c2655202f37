-- Browsers and networks that an account has signed in from, as hashes: a sign-in from a place that
-- is not among them is reported by e-mail.
create table sign_in_places (
  account_id uuid not null references accounts (id) on delete cascade,
  place_sha256 bytea not null,
  last_seen_at timestamptz not null,
  primary key (account_id, place_sha256)
);
create index sign_in_places_age on sign_in_places (last_seen_at);
