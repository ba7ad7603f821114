-- Calendar feeds: addresses that calendar programs read, and when an event was last changed.

alter table calendar_events add column changed_at timestamptz;
comment on column calendar_events.changed_at is 'Last change of what a calendar shows; null: none since creation.';

create table calendar_feeds (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  scope text not null check (scope in ('answered', 'groups')),
  created_at timestamptz not null,
  unique (person_id, scope)
);
comment on table calendar_feeds is 'Personal calendar feeds. The address holds the id, signed; a new id revokes the old address.';
