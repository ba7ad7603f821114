-- Drafts that somebody has thrown away, for as long as they can bring them back.
create table dropped_drafts (
  person_id uuid not null references people (id) on delete cascade,
  place text not null,
  data jsonb not null,
  dropped_at timestamptz not null,
  primary key (person_id, place)
);
create index dropped_drafts_by_age on dropped_drafts (dropped_at);
