create table conversations (
  id uuid primary key,
  kind text not null check (kind in ('direct', 'group')),
  name text not null default '',
  creator_id uuid not null references people (id),
  -- 'low:high' of the two people: there is one direct conversation of a pair.
  pair text unique,
  last_seq integer not null default 0,
  last_message_at timestamptz not null,
  created_at timestamptz not null,
  check ((kind = 'direct') = (pair is not null))
);

create table participants (
  conversation_id uuid not null references conversations (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  state text not null default 'accepted' check (state in ('request', 'accepted', 'deleted', 'left')),
  last_read_seq integer not null default 0,
  -- Newcomers see what is said from here on.
  joined_seq integer not null default 0,
  muted_until timestamptz,
  archived_at timestamptz,
  joined_at timestamptz not null,
  primary key (conversation_id, person_id)
);
create index participants_of_person on participants (person_id, state);

create table messages (
  id uuid primary key,
  conversation_id uuid not null references conversations (id) on delete cascade,
  seq integer not null,
  author_id uuid not null references people (id),
  body_md text not null,
  body_html text not null,
  client_id uuid,
  created_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz
);
create unique index messages_in_order on messages (conversation_id, seq);
create unique index messages_once on messages (author_id, client_id) where client_id is not null;

create table resources (
  id uuid primary key,
  kind text not null check (kind in ('link', 'file', 'document')),
  -- Without a group it is for the whole community.
  group_id uuid references groups (id) on delete cascade,
  keeper_id uuid not null references people (id),
  title text not null check (char_length(title) between 1 and 200),
  why text not null default '' check (char_length(why) <= 300),
  url text check (char_length(url) <= 2000),
  site_name text not null default '',
  body_md text not null default '',
  body_html text not null default '',
  upload_id uuid references uploads (id) on delete set null,
  tags text[] not null default '{}',
  language text not null default 'en',
  licence text not null default '',
  state text not null default 'published' check (state in ('draft', 'published', 'hidden', 'removed')),
  health text not null default 'unknown' check (health in ('unknown', 'ok', 'redirected', 'dead')),
  version integer not null default 1,
  comments_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz,
  check ((kind = 'link') = (url is not null))
);
create index resources_latest on resources (created_at desc, id desc) where state = 'published';
create index resources_of_group on resources (group_id, created_at desc) where state = 'published';
create index resources_of_keeper on resources (keeper_id, created_at desc);
alter table posts add foreign key (resource_id) references resources (id) on delete cascade;

create table resource_versions (
  resource_id uuid not null references resources (id) on delete cascade,
  version integer not null,
  by_id uuid not null references people (id),
  note text not null default '',
  body_md text not null default '',
  upload_id uuid references uploads (id) on delete set null,
  created_at timestamptz not null,
  primary key (resource_id, version)
);

-- Where a resource is used: the post that it came from or that points to it.
create table resource_uses (
  resource_id uuid not null references resources (id) on delete cascade,
  post_id uuid not null references posts (id) on delete cascade,
  primary key (resource_id, post_id)
);
create index resource_uses_of_post on resource_uses (post_id);

create table collections (
  id uuid primary key,
  group_id uuid references groups (id) on delete cascade,
  curator_id uuid not null references people (id),
  title text not null check (char_length(title) between 1 and 120),
  about text not null default '',
  created_at timestamptz not null
);
create table collection_items (
  collection_id uuid not null references collections (id) on delete cascade,
  resource_id uuid not null references resources (id) on delete cascade,
  position integer not null,
  primary key (collection_id, resource_id)
);
create index collection_items_of_resource on collection_items (resource_id);
