-- An admin looks into a group that is not theirs to read, for a reason and for a while; its owners are told.
create table inspections (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  reason text not null,
  begun_at timestamptz not null,
  ends_at timestamptz not null,
  check (ends_at >= begun_at)
);
create index inspections_of_person on inspections (person_id, group_id, ends_at desc);
create index inspections_of_group on inspections (group_id, begun_at desc);
