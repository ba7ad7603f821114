-- Who works through jobs says so again and again. What somebody has begun who is heard of no more is taken up by others.
create table workers (
  id text primary key,
  seen_at timestamptz not null
);
