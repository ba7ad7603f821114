-- Stores of programs: in each hive, keys of each kind of store, and what lies under a key.
create table hives (
  id uuid primary key,
  name text collate "C" not null unique check (char_length(name) between 1 and 250),
  created_at timestamptz not null
);

create table hive_keys (
  id bigint generated always as identity primary key,
  hive_id uuid not null references hives (id) on delete cascade,
  kind text not null check (kind in ('key-value', 'list', 'map', 'set', 'sorted-set')),
  key text collate "C" not null check (char_length(key) between 1 and 250),
  -- Of a key-value store: JSON as it was sent.
  value text,
  -- Of the others: how many entries there are, and their characters, so that neither has to be counted.
  entries integer not null default 0,
  size bigint not null default 0,
  expires_at timestamptz,
  used_at timestamptz not null,
  unique (hive_id, kind, key)
);
create index hive_keys_in_order on hive_keys (hive_id, kind, id);
create index hive_keys_until on hive_keys (expires_at) where expires_at is not null;

-- Of maps, by their own keys; of sets, by a hash of what they hold.
create table hive_entries (
  key_id bigint not null references hive_keys (id) on delete cascade,
  field text collate "C" not null check (char_length(field) between 1 and 250),
  value text not null,
  primary key (key_id, field)
);
