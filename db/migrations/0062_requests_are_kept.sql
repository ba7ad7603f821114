-- What became of those who asked to be let into a group, with what they answered, for those who look after it. `outcome` is how they
-- stood from then on. Nobody decided where they took it back, or came in by another way.
create table decided_requests (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  asked_at timestamptz not null,
  answers jsonb not null,
  outcome text not null check (outcome in ('member', 'declined', 'withdrawn', 'banned')),
  reason text not null default '',
  decided_at timestamptz not null,
  decided_by uuid references people (id) on delete set null
);
create index decided_requests_of_group on decided_requests (group_id, decided_at desc, id desc);
create index decided_requests_of_person on decided_requests (person_id);
create index decided_requests_by_age on decided_requests (decided_at);
