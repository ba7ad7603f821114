-- Imports from other platforms.

create table import_runs (
  id uuid primary key,
  format text not null,
  source text not null check (char_length(source) between 1 and 200),
  file_name text not null default '',
  path text,
  options jsonb not null default '{}',
  state text not null check (state in ('waiting', 'checking', 'checked', 'running', 'broken', 'done', 'undoing', 'undone')),
  by_id uuid references people (id) on delete set null,
  counts jsonb not null default '{}',
  problems_count integer not null default 0,
  trouble text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  finished_at timestamptz,
  started_at timestamptz
);
create index import_runs_latest on import_runs (created_at desc, id desc);
create index import_runs_of_source on import_runs (source, created_at desc);
create index import_runs_by_person on import_runs (by_id) where (by_id is not null);
comment on table import_runs is 'Imports and their progress.';

create table import_problems (
  run_id uuid references import_runs (id) on delete cascade,
  position integer,
  place text not null,
  kind text not null,
  source_id text not null,
  what text not null,
  primary key (run_id, position)
);
comment on table import_problems is 'Remarks of imports.';

create table imported_records (
  source text,
  kind text,
  source_id text,
  local_id uuid not null,
  other_id uuid,
  part text not null default '',
  made boolean not null,
  run_id uuid not null references import_runs (id) on delete cascade,
  primary key (source, kind, source_id)
);
create index imported_records_of_run on imported_records (run_id, kind);
create index imported_records_things on imported_records (local_id);
comment on table imported_records is 'Source ids and what they became.';
comment on column imported_records.made is 'Created by this run; undo removes it.';

create table address_redirects (
  path text primary key check (char_length(path) <= 1000),
  kind text not null check (kind in ('user', 'group', 'discussion', 'post', 'resource')),
  thing_id uuid not null,
  run_id uuid references import_runs (id) on delete cascade
);
create index address_redirects_of_run on address_redirects (run_id);
create index address_redirects_of_thing on address_redirects (thing_id);
comment on table address_redirects is 'Addresses of the old platform and where they lead.';
