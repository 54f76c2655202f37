-- The hash of the cookie of the browser that began the sign-in; null for other sessions.
alter table sessions add column browser_sha256 bytea;
