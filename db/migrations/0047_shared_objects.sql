-- Objects that programs share: values under keys, which all who are connected to an object read and change together.
create sequence shared_versions;

create table shared_objects (
  name text collate "C" primary key check (char_length(name) between 1 and 250),
  -- How many keys there are, and the characters of keys and values, so that neither has to be counted.
  keys integer not null default 0,
  size bigint not null default 0,
  changed_at timestamptz not null
);
create index shared_objects_empty on shared_objects (changed_at) where keys = 0;

create table shared_values (
  name text collate "C" not null references shared_objects (name) on delete cascade,
  key text collate "C" not null check (char_length(key) between 1 and 250),
  -- JSON as it was sent.
  value text not null,
  -- Counts all changes of all objects: which of two that crossed on their way is the later one.
  version bigint not null,
  primary key (name, key)
);
