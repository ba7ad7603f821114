-- What is too long for a NOTIFY waits here for the others, for a minute.
create unlogged table bus_parcels (
  id uuid primary key,
  content text not null,
  at timestamptz not null default clock_timestamp()
);
create index bus_parcels_at on bus_parcels (at);
