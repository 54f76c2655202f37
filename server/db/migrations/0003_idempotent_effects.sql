-- What a request makes carries this id. A request that died without an answer and is sent again has
-- the same one, and so finds what it had made.
alter table idempotent_requests add column effect_id uuid not null default gen_random_uuid();
