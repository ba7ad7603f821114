-- What else API clients store: counters, cache, hives, files, shared objects, logs, purchases.

create function note_unreferenced_bytes()
 returns trigger
 language plpgsql
as $$
begin
  insert into unreferenced_bytes (hash) values (old.hash);
  return null;
end $$;

create sequence shared_versions;

create table counters (
  name text collate "C" primary key check (char_length(name) between 1 and 250),
  value bigint not null
);
comment on table counters is 'Counters.';

create unlogged table cache_entries (
  key text collate "C" primary key check (char_length(key) between 1 and 250),
  value text not null,
  expires_at timestamptz not null
);
create index cache_entries_until on cache_entries (expires_at);
comment on table cache_entries is 'Cache.';

create table hives (
  id uuid primary key,
  name text collate "C" not null check (char_length(name) between 1 and 250) unique,
  created_at timestamptz not null
);
comment on table hives is 'Hives: key-value stores.';

create table hive_keys (
  id bigint generated always as identity primary key,
  hive_id uuid not null references hives (id) on delete cascade,
  kind text not null check (kind in ('key-value', 'list', 'map', 'set', 'sorted-set')),
  key text collate "C" not null check (char_length(key) between 1 and 250),
  value text,
  entries integer not null default 0,
  size bigint not null default 0,
  expires_at timestamptz,
  used_at timestamptz not null,
  unique (hive_id, kind, key)
);
create index hive_keys_in_order on hive_keys (hive_id, kind, id);
create index hive_keys_until on hive_keys (expires_at) where (expires_at is not null);
comment on table hive_keys is 'Keys of hives.';
comment on column hive_keys.kind is 'value, list, map, set or sorted set.';
comment on column hive_keys.entries is 'Number of entries.';
comment on column hive_keys.size is 'Characters stored.';

create table hive_entries (
  key_id bigint references hive_keys (id) on delete cascade,
  field text collate "C" check (char_length(field) between 1 and 250),
  value text not null,
  score double precision,
  primary key (key_id, field)
);
create index hive_entries_by_score on hive_entries (key_id, score, "left"(value, 100) collate "C", field)
  where (score is not null);
comment on table hive_entries is 'Entries of maps, sets and sorted sets.';

create table hive_items (
  key_id bigint references hive_keys (id) on delete cascade,
  position bigint,
  field text collate "C" not null,
  value text not null,
  primary key (key_id, position) deferrable
);
create index hive_items_by_value on hive_items (key_id, field, "position");
comment on table hive_items is 'Items of lists.';
comment on column hive_items.position is 'With gaps, so that inserting writes one row.';

create table api_files (
  id uuid primary key,
  parent_id uuid references api_files (id) on delete cascade,
  name text collate "C" not null check ((char_length(name) between 1 and 250) and (name !~ '[/[:cntrl:]]') and (name <> all (array['.', '..']))),
  kind text not null check (kind in ('directory', 'file')),
  owner_id text,
  size bigint not null default 0 check (size >= 0),
  mime text not null default '',
  version uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique nulls not distinct (parent_id, name)
);
create index api_files_sizes on api_files (kind, size);
comment on table api_files is 'Files and directories of API clients.';

create table api_file_parts (
  file_id uuid references api_files (id) on delete cascade,
  position integer,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  size bigint not null check (size > 0),
  primary key (file_id, position)
);
create index api_file_parts_by_hash on api_file_parts (hash);
create trigger api_file_parts_unreferenced after delete on api_file_parts for each row execute function note_unreferenced_bytes();
comment on table api_file_parts is 'Parts of files.';

create table api_file_grants (
  file_id uuid references api_files (id) on delete cascade,
  act text not null check (act in ('READ', 'WRITE', 'DELETE')),
  kind text not null check (kind in ('user', 'role')),
  subject text not null check (char_length(subject) between 1 and 250),
  allowed boolean not null,
  unique nulls not distinct (file_id, act, kind, subject)
);
comment on table api_file_grants is 'Permissions on paths.';

create table unreferenced_bytes (
  id bigint generated always as identity primary key,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  at timestamptz not null default now()
);
comment on table unreferenced_bytes is 'Bytes no file refers to any more, removed later.';

create table shared_objects (
  name text collate "C" primary key check (char_length(name) between 1 and 250),
  keys integer not null default 0,
  size bigint not null default 0,
  changed_at timestamptz not null
);
create index shared_objects_empty on shared_objects (changed_at) where (keys = 0);
comment on table shared_objects is 'Shared objects of the realtime API.';

create table shared_values (
  name text collate "C" references shared_objects (name) on delete cascade,
  key text collate "C" check (char_length(key) between 1 and 250),
  value text not null,
  version bigint not null,
  primary key (name, key)
);
comment on table shared_values is 'Values of shared objects.';

create table log_entries (
  batch_id uuid,
  n integer,
  kind text not null check (kind in ('logging', 'console', 'developer', 'automation')),
  logger text collate "C" not null check (char_length(logger) between 1 and 200),
  level smallint not null check (level between 1 and 6),
  message text not null check (char_length(message) <= 4000),
  exception text check (char_length(exception) <= 8000),
  build text,
  page text,
  written_at timestamptz not null,
  at timestamptz not null,
  words tsvector not null,
  primary key (batch_id, n)
);
create index log_entries_of_logger on log_entries (logger, batch_id desc, n desc);
create index log_entries_bad on log_entries (batch_id desc, n desc) where (level <= 2);
create index log_entries_words on log_entries using gin (words);
create index log_entries_at on log_entries (at);
comment on table log_entries is 'Log entries of API clients, browsers and automations.';

create table purchases (
  id uuid primary key,
  store text not null check (store = 'google-play'),
  kind text not null check (kind in ('product', 'subscription')),
  package_name text not null check (char_length(package_name) between 1 and 255),
  product text not null check (char_length(product) between 1 and 255),
  token text not null check (char_length(token) between 1 and 1500),
  person_id uuid references people (id) on delete set null,
  state text not null check (state in ('active', 'pending', 'ended')),
  until timestamptz,
  answer jsonb not null,
  given jsonb not null default '[]',
  created_at timestamptz not null,
  checked_at timestamptz not null,
  unique (store, kind, package_name, product, token)
);
create index purchases_of_person on purchases (person_id) where (person_id is not null);
create index purchases_due on purchases (until) where ((state = 'active') and (until is not null));
comment on table purchases is 'Purchases shown to the server, and what they gave.';

create table extension_timers (
  name text primary key,
  schedule text not null,
  next_at timestamptz not null,
  last_at timestamptz,
  took_ms integer,
  fault text
);
comment on table extension_timers is 'Timers of extensions.';
