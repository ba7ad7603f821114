-- A group as one of its owners takes it along, as a zip; the bytes are in the storage under their hash.
create table group_exports (
  id uuid primary key,
  -- Null once the group is gone for good: its bytes go then too.
  group_id uuid references groups (id) on delete set null,
  person_id uuid not null references people (id) on delete cascade,
  created_at timestamptz not null,
  -- Null while it is being made.
  ready_at timestamptz,
  expires_at timestamptz not null,
  -- There was more in it than such a zip may hold.
  too_large boolean not null default false,
  hash text,
  size bigint,
  check ((hash is null) = (size is null)),
  check (hash is null or ready_at is not null),
  check (not too_large or ready_at is null)
);
create index group_exports_of_group on group_exports (group_id, created_at desc);
create index group_exports_of_person on group_exports (person_id);
create index group_exports_expiry on group_exports (expires_at);
