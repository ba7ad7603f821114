-- What somebody does not want to have before their eyes: people, for a while or for good, and words. Nobody else learns of it.
create table mutes (
  muter_id uuid not null references people (id) on delete cascade,
  muted_id uuid not null references people (id) on delete cascade,
  -- Null: until it is taken back.
  until timestamptz,
  created_at timestamptz not null,
  primary key (muter_id, muted_id),
  check (muter_id <> muted_id)
);
create index mutes_of_muted on mutes (muted_id);
create index mutes_end on mutes (until) where until is not null;

create table filters (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  phrase text not null check (char_length(phrase) between 1 and 100),
  contexts text[] not null check (contexts <@ array['home', 'discussion', 'notifications'] and cardinality(contexts) > 0),
  action text not null check (action in ('collapse', 'hide')),
  until timestamptz,
  created_at timestamptz not null,
  -- Dropped ones are kept for a day, so that they can be brought back.
  dropped_at timestamptz
);
create index filters_of_person on filters (person_id, created_at, id);
create index filters_end on filters (until) where until is not null;
create index filters_dropped on filters (dropped_at) where dropped_at is not null;
