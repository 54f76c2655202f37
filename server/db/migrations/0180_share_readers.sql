-- Networks that have entered the right password of a link: no guesses of others refuse them.
-- server/shares is the only writer.

create table share_readers (
  share_id uuid not null references shares (id) on delete cascade,
  -- Of the network, keyed with the password's hash: nobody reads an address out of it.
  network_sha256 bytea not null check (length(network_sha256) = 32),
  primary key (share_id, network_sha256)
);
