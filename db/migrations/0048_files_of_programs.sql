-- Files that programs keep: a tree of directories and files. Their bytes lie in the storage under their hashes, and a file is
-- made of parts, so that what is added to it does not write it anew.
create table program_files (
  id uuid primary key,
  -- Null at the top.
  parent_id uuid references program_files (id) on delete cascade,
  name text collate "C" not null check (char_length(name) between 1 and 250 and name !~ '[/[:cntrl:]]' and name not in ('.', '..')),
  kind text not null check (kind in ('directory', 'file')),
  -- Whoever made it, as programs know people; null for a program with the server key.
  owner_id text,
  size bigint not null default 0 check (size >= 0),
  mime text not null default '',
  -- Another one with each change of what is in it.
  version uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique nulls not distinct (parent_id, name)
);
create index program_files_sizes on program_files (kind, size);

create table program_file_parts (
  file_id uuid not null references program_files (id) on delete cascade,
  position integer not null,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  size bigint not null check (size > 0),
  primary key (file_id, position)
);
create index program_file_parts_by_hash on program_file_parts (hash);

-- Bytes that a part has let go of, whatever took the part away; they go once nobody reads them any more.
create table program_bytes_let_go (
  id bigint generated always as identity primary key,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  at timestamptz not null default now()
);
create function let_go_of_bytes() returns trigger language plpgsql as $$
begin
  insert into program_bytes_let_go (hash) values (old.hash);
  return null;
end $$;
create trigger program_file_parts_let_go after delete on program_file_parts for each row execute function let_go_of_bytes();

-- What is granted or denied at a path and below it; `*` is everybody. Null: at the top.
create table program_file_grants (
  file_id uuid references program_files (id) on delete cascade,
  act text not null check (act in ('READ', 'WRITE', 'DELETE')),
  kind text not null check (kind in ('user', 'role')),
  subject text not null check (char_length(subject) between 1 and 250),
  allowed boolean not null,
  unique nulls not distinct (file_id, act, kind, subject)
);
