-- Whether links still lead somewhere, and where they lead instead.

-- What is known of a link's address from looking at it, and when it is looked at next.
create table link_checks (
  resource_id uuid primary key references resources (id) on delete cascade,
  url text not null,
  host text not null,
  due_at timestamptz not null,
  checked_at timestamptz,
  etag text,
  last_modified text,
  failures integer not null default 0,
  failing_since timestamptz,
  -- Where it leads on to for good.
  moved_to text,
  check ((failures = 0) = (failing_since is null))
);
create index link_checks_due on link_checks (due_at);
create index link_checks_of_host on link_checks (host);

-- Where a dead link should lead, as somebody says who reads it.
create table link_suggestions (
  id uuid primary key,
  resource_id uuid not null references resources (id) on delete cascade,
  url text not null check (char_length(url) <= 2000),
  by_id uuid not null references people (id) on delete cascade,
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid references people (id) on delete set null,
  accepted boolean,
  check ((decided_at is null) = (accepted is null))
);
create unique index link_suggestions_waiting on link_suggestions (resource_id, by_id) where decided_at is null;
create index link_suggestions_by on link_suggestions (by_id, created_at desc);
