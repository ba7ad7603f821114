-- Files come in pieces, are looked at before anybody gets them, and what they say is read out of them.

-- What is on its way; it becomes an upload of the same id.
create table incoming_files (
  id uuid primary key,
  owner_id uuid not null references people (id) on delete cascade,
  size bigint not null check (size >= 0),
  file_name text not null default '',
  created_at timestamptz not null
);
create index incoming_files_of_owner on incoming_files (owner_id) include (size);
create index incoming_files_by_age on incoming_files (created_at);

-- While a scanner has not looked at it, and when it found something, nobody gets it.
alter table uploads add column state text not null default 'ok' check (state in ('scanning', 'ok', 'quarantined'));
create index uploads_scanning on uploads (created_at) where state = 'scanning';

-- What a file says, once for the same bytes, with a form feed between two pages.
create table file_texts (
  hash text primary key,
  -- 'cut': only its beginning. 'empty': pictures of pages, perhaps. 'locked': it wants a password. 'too-much': more than we take upon us.
  state text not null check (state in ('read', 'cut', 'empty', 'locked', 'broken', 'too-much')),
  -- Of the whole file; null where it has none.
  pages integer,
  text text not null default '',
  -- As the file itself says, in two letters.
  language text not null default '',
  -- A picture of the first page, or a smaller one of the picture: the hash of a WebP in storage.
  thumbnail text,
  read_at timestamptz not null
);
create index file_texts_by_thumbnail on file_texts (thumbnail) where thumbnail is not null;
