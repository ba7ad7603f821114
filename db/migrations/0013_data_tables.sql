-- Data tables of API clients: catalogue and permissions. The tables themselves are in the schema data.

create schema data;

create sequence data_names;

create table data_config (
  lone boolean default true primary key check (lone),
  version bigint not null,
  dynamic_schema boolean,
  default_access text check (default_access in ('open', 'members'))
);
comment on table data_config is 'Settings of the data tables, one row.';
comment on column data_config.version is 'Counts changes of the catalogue.';

create table data_tables (
  id uuid primary key,
  name text not null check (name ~ '^[A-Za-z][A-Za-z0-9_]{0,63}$') unique,
  sql_name text not null check (sql_name ~ '^[a-z0-9_]{1,60}$') unique,
  created_at timestamptz not null,
  published boolean not null default false
);
comment on table data_tables is 'Data tables.';
comment on column data_tables.sql_name is 'Name in the schema data.';

create table data_columns (
  table_id uuid references data_tables (id) on delete cascade,
  name text check (name ~ '^[A-Za-z][A-Za-z0-9_]{0,63}$'),
  sql_name text not null check (sql_name ~ '^[a-z0-9_]{1,60}$') unique,
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
comment on table data_columns is 'Columns of data tables.';

create table data_relations (
  table_id uuid references data_tables (id) on delete cascade,
  name text check (name ~ '^[A-Za-z][A-Za-z0-9_]{0,63}$'),
  to_table text not null,
  kind text not null check (kind in ('ONE_TO_ONE', 'ONE_TO_MANY')),
  auto_load boolean not null default false,
  links text not null check (links ~ '^[a-z0-9_]{1,60}$') unique,
  position bigint not null,
  primary key (table_id, name)
);
create index data_relations_to on data_relations (to_table);
comment on table data_relations is 'Relations between data tables.';
comment on column data_relations.links is 'Link table in the schema data.';

create table data_access (
  table_id uuid references data_tables (id) on delete cascade,
  role text check (char_length(role) between 1 and 100),
  act text check (act in ('find', 'create', 'update', 'remove')),
  allowed boolean not null,
  primary key (table_id, role, act)
);
comment on table data_access is 'Default permissions of roles on tables.';

create table data_grants (
  table_id uuid references data_tables (id) on delete cascade,
  object_id text,
  act text check (act in ('FIND', 'UPDATE', 'REMOVE')),
  kind text check (kind in ('user', 'role')),
  subject text check (char_length(subject) between 1 and 250),
  allowed boolean not null,
  primary key (table_id, object_id, act, kind, subject)
);
comment on table data_grants is 'Permissions on single objects.';

create unlogged table data_event_records (
  outbox_id bigint primary key,
  about jsonb not null,
  at timestamptz not null
);
create index data_event_records_at on data_event_records (at);
comment on table data_event_records is 'Records and lists of domain events that are too long for the outbox.';
