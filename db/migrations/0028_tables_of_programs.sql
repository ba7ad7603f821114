-- Tables that programs make for themselves. What they are called, and what their columns may hold, is kept here; the tables
-- lie in a schema of their own, under names that come from `data_names` and never from a caller.
create schema data;
create sequence data_names;

create table data_tables (
  id uuid primary key,
  name text not null unique check (name ~ '^[A-Za-z][A-Za-z0-9_]{0,63}$'),
  sql_name text not null unique check (sql_name ~ '^[a-z0-9_]{1,60}$'),
  created_at timestamptz not null
);

create table data_columns (
  table_id uuid not null references data_tables (id) on delete cascade,
  name text not null check (name ~ '^[A-Za-z][A-Za-z0-9_]{0,63}$'),
  sql_name text not null unique check (sql_name ~ '^[a-z0-9_]{1,60}$'),
  type text not null check (type in ('STRING', 'TEXT', 'INT', 'DOUBLE', 'BOOLEAN', 'DATETIME', 'JSON', 'FILE_REF', 'POINT', 'LINESTRING', 'POLYGON', 'GEOMETRY')),
  size integer check (size between 1 and 500),
  required boolean not null default false,
  is_unique boolean not null default false,
  is_indexed boolean not null default false,
  default_value jsonb,
  expression text check (char_length(expression) <= 1000),
  position bigint not null,
  primary key (table_id, name)
);

-- The links of a relation lie in `data.<links>` (parent, child, position). What it leads to may be published by somebody else,
-- and is known by its name.
create table data_relations (
  table_id uuid not null references data_tables (id) on delete cascade,
  name text not null check (name ~ '^[A-Za-z][A-Za-z0-9_]{0,63}$'),
  to_table text not null,
  kind text not null check (kind in ('ONE_TO_ONE', 'ONE_TO_MANY')),
  auto_load boolean not null default false,
  links text not null unique check (links ~ '^[a-z0-9_]{1,60}$'),
  position bigint not null,
  primary key (table_id, name)
);
create index data_relations_to on data_relations (to_table);

-- What a role may do with a table, where that differs from the default.
create table data_access (
  table_id uuid not null references data_tables (id) on delete cascade,
  role text not null check (char_length(role) between 1 and 100),
  act text not null check (act in ('find', 'create', 'update', 'remove')),
  allowed boolean not null,
  primary key (table_id, role, act)
);

-- What is granted or denied for one object; `*` is everybody.
create table data_grants (
  table_id uuid not null references data_tables (id) on delete cascade,
  object_id text not null,
  act text not null check (act in ('FIND', 'UPDATE', 'REMOVE')),
  kind text not null check (kind in ('user', 'role')),
  subject text not null check (char_length(subject) between 1 and 250),
  allowed boolean not null,
  primary key (table_id, object_id, act, kind, subject)
);

-- One row, once somebody has changed something: the settings of all tables, and a number that says which state this is.
create table data_config (
  lone boolean primary key default true check (lone),
  version bigint not null,
  dynamic_schema boolean,
  default_access text check (default_access in ('open', 'members'))
);
