-- A code that is brought twice was seen by somebody else: the key that it gave ends (RFC 6749, 4.1.2).
-- So a used code stays until retention takes it.
alter table oauth_codes
  add column used_at timestamptz,
  add column key_id uuid references api_keys (id) on delete set null;
create index oauth_codes_key on oauth_codes (key_id);
