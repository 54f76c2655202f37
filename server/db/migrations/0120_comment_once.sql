-- A comment that is sent again after a lost answer is the same comment: its secret names it.
create unique index share_comments_of_device on share_comments (share_id, device_sha256)
  where device_sha256 is not null;
