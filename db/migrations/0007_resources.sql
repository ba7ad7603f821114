-- The library: uploads, resources, collections.

create table uploads (
  id uuid primary key,
  owner_id uuid references people (id) on delete set null,
  hash text not null,
  size bigint not null,
  mime text not null,
  file_name text not null default '',
  width integer,
  height integer,
  alt text not null default '',
  attached_kind text,
  attached_id uuid,
  created_at timestamptz not null,
  state text not null default 'ok' check (state in ('scanning', 'ok', 'quarantined'))
);
create index uploads_attached on uploads (attached_kind, attached_id);
create index uploads_of_owner on uploads (owner_id) include (size);
create index uploads_orphaned on uploads (created_at) where (attached_kind is null);
create index uploads_by_hash on uploads (hash);
create index uploads_scanning on uploads (created_at) where (state = 'scanning');
comment on table uploads is 'Stored files and pictures.';
comment on column uploads.hash is 'SHA-256 of the bytes: their name in storage.';
comment on column uploads.attached_kind is 'What it belongs to; null: an orphan, removed later.';
comment on column uploads.state is 'ready, scanning or quarantined.';

alter table people add constraint people_photo_id_fkey foreign key (photo_id) references uploads (id) on delete set null;
alter table people add constraint people_header_id_fkey foreign key (header_id) references uploads (id) on delete set null;
alter table groups add constraint groups_header_id_fkey foreign key (header_id) references uploads (id) on delete set null;
alter table groups add constraint groups_photo_id_fkey foreign key (photo_id) references uploads (id) on delete set null;

create table partial_uploads (
  id uuid primary key,
  owner_id uuid not null references people (id) on delete cascade,
  size bigint not null check (size >= 0),
  file_name text not null default '',
  created_at timestamptz not null
);
create index partial_uploads_of_owner on partial_uploads (owner_id) include (size);
create index partial_uploads_by_age on partial_uploads (created_at);
comment on table partial_uploads is 'Uploads under way (tus).';

create table file_texts (
  hash text primary key,
  state text not null check (state in ('read', 'cut', 'empty', 'locked', 'broken', 'too-much')),
  pages integer,
  text text not null default '',
  language text not null default '',
  thumbnail text,
  read_at timestamptz not null
);
create index file_texts_by_thumbnail on file_texts (thumbnail) where (thumbnail is not null);
comment on table file_texts is 'Text extracted from files, by hash.';

create table resources (
  id uuid primary key,
  kind text not null check (kind in ('link', 'video', 'file', 'image', 'document')),
  group_id uuid references groups (id) on delete cascade,
  owner_id uuid not null references people (id),
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
  audience text not null default 'group' check (audience in ('group', 'members')),
  normal_url text,
  edits_by text not null default 'keeper' check (edits_by in ('keeper', 'members')),
  changes integer not null default 0,
  removed_at timestamptz,
  removed_by uuid references people (id),
  removed_reason text not null default '',
  featured_at timestamptz,
  featured_by uuid references people (id),
  last_comment_at timestamptz,
  bookmarks_count integer not null default 0,
  constraint resources_address check ((kind in ('link', 'video')) = (url is not null)),
  check ((featured_at is null) = (featured_by is null)),
  constraint resources_check1 check ((removed_at is null) = (removed_by is null))
);
create index resources_latest on resources (created_at desc, id desc) where (state = 'published');
create index resources_of_group on resources (group_id, created_at desc) where (state = 'published');
create index resources_of_owner on resources (owner_id, created_at desc);
create index resources_by_title on resources (lower(title), id) where (state = 'published');
create index resources_by_comments on resources (comments_count desc, id desc) where (state = 'published');
create index resources_words on resources using gin (to_tsvector('simple'::regconfig, ((title || ' ') || why)))
  where (state = 'published');
create index resources_by_address on resources (normal_url)
  where ((normal_url is not null) and (state = 'published'));
create index resources_with_tag on resources using gin (tags) where (state = 'published');
create index resources_by_bookmarks on resources (bookmarks_count desc, id desc) where (state = 'published');
create index resources_by_last_comment on resources (coalesce(last_comment_at, '1970-01-01 00:00:00+00'::timestamp with time zone) desc, id desc)
  where (state = 'published');
create index resources_featured on resources (featured_at desc, id desc) where (featured_at is not null);
create index resources_removed on resources (removed_at) where (state = 'removed');
create index resources_of_kind on resources (kind, created_at desc, id desc) where (state = 'published');
create index resources_in_language on resources (language, created_at desc, id desc)
  where (state = 'published');
create index resources_with_broken_link on resources (created_at desc, id desc)
  where ((state = 'published') and (health = 'dead'));
create index resources_by_group on resources (group_id) where (group_id is not null);
create index resources_removed_by on resources (removed_by) where (removed_by is not null);
create index resources_featured_by on resources (featured_by) where (featured_by is not null);
create index resources_with_upload on resources (upload_id) where (upload_id is not null);
comment on table resources is 'Resources of the library.';
comment on column resources.why is 'Why it is worth keeping.';
comment on column resources.normal_url is 'Address in the form that duplicates are found by.';
comment on column resources.edits_by is 'Who may edit a document.';
comment on column resources.changes is 'Counts edits; a form of an older count is refused.';

alter table posts add constraint posts_resource_id_fkey foreign key (resource_id) references resources (id) on delete cascade;

create table resource_versions (
  resource_id uuid references resources (id) on delete cascade,
  version integer,
  by_id uuid not null references people (id),
  note text not null default '',
  body_md text not null default '',
  upload_id uuid references uploads (id) on delete set null,
  created_at timestamptz not null,
  restored_from integer,
  primary key (resource_id, version)
);
create index resource_versions_by on resource_versions (by_id, created_at desc);
create index resource_versions_of_upload on resource_versions (upload_id) where (upload_id is not null);
comment on table resource_versions is 'Versions of documents and files.';

create table resource_uses (
  resource_id uuid references resources (id) on delete cascade,
  post_id uuid references posts (id) on delete cascade,
  is_origin boolean not null default false,
  primary key (resource_id, post_id)
);
create index resource_uses_of_post on resource_uses (post_id);
comment on table resource_uses is 'Posts that link to a resource, or that it was made from.';

create table resource_bookmarks (
  person_id uuid references people (id) on delete cascade,
  resource_id uuid references resources (id) on delete cascade,
  created_at timestamptz not null,
  primary key (person_id, resource_id)
);
create index resource_bookmarks_of_person on resource_bookmarks (
  person_id, created_at desc, resource_id desc);
create index resource_bookmarks_of on resource_bookmarks (resource_id);
comment on table resource_bookmarks is 'Resources that people saved.';

create table resource_follows (
  person_id uuid references people (id) on delete cascade,
  resource_id uuid references resources (id) on delete cascade,
  level text not null check (level in ('watching', 'normal', 'muted')),
  changed_at timestamptz not null,
  primary key (person_id, resource_id)
);
create index resource_follows_of on resource_follows (resource_id, level);
comment on table resource_follows is 'Resources that people watch or mute.';

create table link_checks (
  resource_id uuid primary key references resources (id) on delete cascade,
  url text not null,
  host text not null,
  due_at timestamptz not null,
  checked_at timestamptz,
  etag text,
  last_modified text,
  failures integer not null default 0,
  failing_since timestamptz,
  moved_to text,
  check ((failures = 0) = (failing_since is null))
);
create index link_checks_due on link_checks (due_at);
create index link_checks_of_host on link_checks (host);
comment on table link_checks is 'State of the links of resources.';

create table link_suggestions (
  id uuid primary key,
  resource_id uuid not null references resources (id) on delete cascade,
  url text not null check (char_length(url) <= 2000),
  by_id uuid not null references people (id) on delete cascade,
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid references people (id) on delete set null,
  accepted boolean,
  check ((decided_at is null) = (accepted is null))
);
create unique index link_suggestions_waiting on link_suggestions (resource_id, by_id)
  where (decided_at is null);
create index link_suggestions_by on link_suggestions (by_id, created_at desc);
create index link_suggestions_decided_by on link_suggestions (decided_by) where (decided_by is not null);
create index link_suggestions_of_resource on link_suggestions (resource_id) where (resource_id is not null);
comment on table link_suggestions is 'New addresses readers suggest for broken links.';

create table collections (
  id uuid primary key,
  group_id uuid references groups (id) on delete cascade,
  curator_id uuid not null references people (id),
  title text not null check (char_length(title) between 1 and 120),
  about text not null default '',
  created_at timestamptz not null,
  audience text not null default 'group' check (audience in ('group', 'members'))
);
create index collections_of_group on collections (group_id, created_at);
create index collections_by_curator on collections (curator_id) where (curator_id is not null);
comment on table collections is 'Collections of resources.';

create table collection_items (
  collection_id uuid references collections (id) on delete cascade,
  resource_id uuid references resources (id) on delete cascade,
  position integer not null,
  primary key (collection_id, resource_id)
);
create index collection_items_of_resource on collection_items (resource_id);
create index collection_items_in_order on collection_items (collection_id, "position", resource_id);
comment on table collection_items is 'Resources in collections.';

create table collection_curators (
  collection_id uuid references collections (id) on delete cascade,
  person_id uuid references people (id) on delete cascade,
  added_by uuid not null references people (id),
  added_at timestamptz not null,
  primary key (collection_id, person_id)
);
create index collection_curators_of_person on collection_curators (person_id);
create index collection_curators_added_by on collection_curators (added_by) where (added_by is not null);
comment on table collection_curators is 'People who help to put a collection together.';

create table group_start_items (
  id uuid primary key,
  group_id uuid not null references groups (id) on delete cascade,
  discussion_id uuid references discussions (id) on delete cascade,
  resource_id uuid references resources (id) on delete cascade,
  position integer not null,
  added_by uuid references people (id) on delete set null,
  added_at timestamptz not null,
  check ((discussion_id is null) <> (resource_id is null)),
  unique (group_id, discussion_id),
  unique (group_id, resource_id)
);
create index group_start_items_added_by on group_start_items (added_by) where (added_by is not null);
create index group_start_items_of_discussion on group_start_items (discussion_id)
  where (discussion_id is not null);
create index group_start_items_of_resource on group_start_items (resource_id) where (resource_id is not null);
comment on table group_start_items is 'Start here: what new members of a group should read.';
