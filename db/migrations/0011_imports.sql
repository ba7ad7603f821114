-- A past that is brought in: its runs, what each thing was called where it came from, what did not fit, the addresses
-- under which it was known, and who may claim the writings of a ghost.

create table import_runs (
  id uuid primary key,
  format text not null,
  -- Names in an archive hold within one source: the same archive brought in twice is one source.
  source text not null check (char_length(source) between 1 and 200),
  file_name text not null default '',
  -- Where the archive lies, for runs that were begun on the page; with what it takes to read it.
  path text,
  options jsonb not null default '{}',
  state text not null check (state in ('waiting', 'checking', 'checked', 'running', 'broken', 'done', 'undoing', 'undone')),
  by_id uuid references people (id) on delete set null,
  -- By type of record: what was made, what was here already, what was refused.
  counts jsonb not null default '{}',
  problems_count integer not null default 0,
  -- The sentence for what ended a run before its end.
  trouble text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  finished_at timestamptz
);
create index import_runs_latest on import_runs (created_at desc, id desc);
create index import_runs_of_source on import_runs (source, created_at desc);

create table imported (
  source text not null,
  kind text not null,
  source_id text not null,
  local_id uuid not null,
  -- For what ties two things: a membership, a reaction.
  other_id uuid,
  part text not null default '',
  -- False for what was here already: undoing the run leaves it alone.
  made boolean not null,
  run_id uuid not null references import_runs (id) on delete cascade,
  primary key (source, kind, source_id)
);
create index imported_of_run on imported (run_id, kind);
create index imported_things on imported (local_id);

create table import_problems (
  run_id uuid not null references import_runs (id) on delete cascade,
  position integer not null,
  -- The line, row or message of the archive.
  place text not null,
  kind text not null,
  source_id text not null,
  what text not null,
  primary key (run_id, position)
);

-- Answered with 301, to who may see what stands there now.
create table old_addresses (
  path text primary key check (char_length(path) <= 1000),
  kind text not null check (kind in ('user', 'group', 'discussion', 'post', 'resource')),
  thing_id uuid not null,
  run_id uuid references import_runs (id) on delete cascade
);
create index old_addresses_of_run on old_addresses (run_id);

-- Whoever confirms this address takes over what the ghost has written.
create table ghosts (
  person_id uuid primary key references people (id) on delete cascade,
  email text not null
);
create unique index ghosts_email on ghosts (lower(email));
