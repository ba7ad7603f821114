-- When a timer of an extension comes next, so that of several processes one takes it, and a restart forgets none.
create table extension_timers (
  name text primary key,
  schedule text not null,
  next_at timestamptz not null,
  last_at timestamptz,
  took_ms integer,
  fault text
);
