-- What becomes of what somebody wrote, once their account is erased: it stays unsigned, or it goes.
alter table people add column leaving text check (leaving in ('keep', 'remove'));

-- Everything of theirs that somebody has asked for, as a zip; the bytes are in the storage under their hash.
create table personal_exports (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  created_at timestamptz not null,
  -- Null while it is being made.
  ready_at timestamptz,
  expires_at timestamptz not null,
  hash text,
  size bigint,
  check ((ready_at is null) = (hash is null) and (hash is null) = (size is null))
);
create index personal_exports_of_person on personal_exports (person_id, created_at desc);
create index personal_exports_expiry on personal_exports (expires_at);
