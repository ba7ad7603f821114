-- Failed sign-ins of one account from one network or browser, and with them the pause before the next try: all processes
-- keep to it. Keys are hashes. Nothing is lost with it, so that it is not logged.
create unlogged table sign_in_failures (
  key_hash bytea primary key,
  failures integer not null,
  last_at timestamptz not null
);
create index sign_in_failures_by_age on sign_in_failures (last_at);
