create table groups (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{1,59}$'),
  name text not null check (char_length(name) between 2 and 60),
  purpose text not null default '' check (char_length(purpose) <= 200),
  about_md text not null default '',
  about_html text not null default '',
  topic text not null default '',
  visibility text not null check (visibility in ('public', 'private', 'secret')),
  join_policy text not null check (join_policy in ('open', 'request', 'invite')),
  history_policy text not null default 'shared' check (history_policy in ('shared', 'from_joining')),
  state text not null default 'active' check (state in ('active', 'archived', 'deleted')),
  header_style text not null default 'meadow',
  header_id uuid references uploads (id) on delete set null,
  rules jsonb not null default '[]',
  questions jsonb not null default '[]',
  created_by uuid references people (id) on delete set null,
  created_at timestamptz not null,
  archived_at timestamptz,
  last_active_at timestamptz not null,
  -- Nobody asks to join what nobody may know of.
  check (visibility <> 'secret' or join_policy = 'invite')
);
create index groups_by_activity on groups (last_active_at desc, id) where state <> 'deleted';

create table memberships (
  group_id uuid not null references groups (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  state text not null check (state in ('requested', 'invited', 'member', 'declined', 'withdrawn', 'refused', 'left', 'removed', 'banned')),
  role text not null default 'member' check (role in ('member', 'moderator', 'owner')),
  answers jsonb not null default '[]',
  invited_by uuid references people (id) on delete set null,
  notify_level text not null default 'highlights' check (notify_level in ('all', 'highlights', 'mentions', 'mute')),
  banned_until timestamptz,
  joined_at timestamptz,
  changed_at timestamptz not null,
  primary key (group_id, person_id)
);
create index memberships_of_person on memberships (person_id, state);
create index memberships_of_group on memberships (group_id, state, role);

create table discussions (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  author_id uuid not null references people (id),
  title text not null check (char_length(title) between 5 and 200),
  tags text[] not null default '{}',
  language text not null default 'en',
  state text not null default 'open' check (state in ('open', 'archived', 'deleted')),
  pinned_at timestamptz,
  pinned_by uuid references people (id),
  pinned_until timestamptz,
  locked_at timestamptz,
  locked_by uuid references people (id),
  locked_reason text,
  resolved_at timestamptz,
  resolved_by uuid references people (id),
  posts_count integer not null default 0,
  last_number integer not null default 0,
  last_post_at timestamptz not null,
  last_post_by uuid references people (id),
  created_at timestamptz not null,
  check ((pinned_at is null) = (pinned_by is null)),
  check ((locked_at is null) = (locked_by is null)),
  check ((resolved_at is null) = (resolved_by is null))
);
create index discussions_of_group on discussions (group_id, last_post_at desc, id desc) where state = 'open';
create index discussions_latest on discussions (last_post_at desc, id desc) where state = 'open';
create index discussions_of_author on discussions (author_id, created_at desc);

create table posts (
  id uuid primary key,
  -- A post stands in a discussion, or under a resource as a comment.
  discussion_id uuid references discussions (id) on delete cascade,
  resource_id uuid,
  number integer not null,
  author_id uuid not null references people (id),
  reply_to uuid references posts (id) on delete set null,
  body_md text not null,
  body_html text not null,
  state text not null default 'published' check (state in ('published', 'hidden', 'deleted_by_author', 'removed')),
  -- Made by the client: a reply that is sent again is stored once.
  client_id uuid,
  created_at timestamptz not null,
  edited_at timestamptz,
  check ((discussion_id is null) <> (resource_id is null))
);
create unique index posts_of_discussion on posts (discussion_id, number) where discussion_id is not null;
create unique index posts_of_resource on posts (resource_id, number) where resource_id is not null;
create unique index posts_once on posts (author_id, client_id) where client_id is not null;
create index posts_of_author on posts (author_id, created_at desc);

create table reactions (
  post_id uuid not null references posts (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  emoji text not null check (char_length(emoji) between 1 and 16),
  created_at timestamptz not null,
  primary key (post_id, person_id, emoji)
);

create table read_states (
  person_id uuid not null references people (id) on delete cascade,
  discussion_id uuid not null references discussions (id) on delete cascade,
  last_read_number integer not null default 0,
  level text not null default 'normal' check (level in ('watching', 'tracking', 'normal', 'muted')),
  read_at timestamptz not null,
  primary key (person_id, discussion_id)
);
create index read_states_of_discussion on read_states (discussion_id, level);

-- What somebody was writing and where, on any device.
create table drafts (
  person_id uuid not null references people (id) on delete cascade,
  place text not null,
  version integer not null default 1,
  data jsonb not null,
  saved_at timestamptz not null,
  primary key (person_id, place)
);
