-- What people do with the library: change and take away, put on shelves, follow, keep for themselves, show to all.

-- A picture is a file that one looks at here, a video a link to what plays elsewhere.
alter table resources drop constraint resources_kind_check, drop constraint resources_check;
alter table resources
  add constraint resources_kind_check check (kind in ('link', 'video', 'file', 'image', 'document')),
  add constraint resources_address check ((kind in ('link', 'video')) = (url is not null)),
  -- The address in the form by which two of them are known to be one.
  add column normal_url text,
  -- Who changes a document: who keeps it, or everybody who may write where it stands.
  add column edits_by text not null default 'keeper' check (edits_by in ('keeper', 'members')),
  -- Counts every change: one that was made from an older state is refused. `version` counts those of the text or the file.
  add column changes integer not null default 0,
  add column removed_at timestamptz,
  add column removed_by uuid references people (id),
  add column removed_reason text not null default '',
  add column featured_at timestamptz,
  add column featured_by uuid references people (id),
  add column last_comment_at timestamptz,
  add column bookmarks_count integer not null default 0,
  add check ((featured_at is null) = (featured_by is null)),
  add check ((removed_at is null) = (removed_by is null));
update resources r set kind = 'image' from uploads u where u.id = r.upload_id and r.kind = 'file' and u.mime like 'image/%';
update resources r set removed_at = now(), removed_by = keeper_id where state = 'removed';
update resources r set last_comment_at = p.at
  from (select resource_id, max(created_at) as at from posts where resource_id is not null group by resource_id) p where p.resource_id = r.id;
create index resources_by_address on resources (normal_url) where normal_url is not null and state = 'published';
create index resources_with_tag on resources using gin (tags) where state = 'published';
create index resources_by_bookmarks on resources (bookmarks_count desc, id desc) where state = 'published';
create index resources_by_last_comment on resources (coalesce(last_comment_at, '1970-01-01 00:00:00+00'::timestamptz) desc, id desc) where state = 'published';
create index resources_featured on resources (featured_at desc, id desc) where featured_at is not null;
create index resources_removed on resources (removed_at) where state = 'removed';

-- A version that brought back the state of an earlier one.
alter table resource_versions add column restored_from integer;
create index resource_versions_by on resource_versions (by_id, created_at desc);
create index resource_versions_of_upload on resource_versions (upload_id) where upload_id is not null;

-- The post that a resource was made from, and those that point to it.
alter table resource_uses add column is_origin boolean not null default false;

create table resource_follows (
  person_id uuid not null references people (id) on delete cascade,
  resource_id uuid not null references resources (id) on delete cascade,
  level text not null check (level in ('watching', 'normal', 'muted')),
  changed_at timestamptz not null,
  primary key (person_id, resource_id)
);
create index resource_follows_of on resource_follows (resource_id, level);

create table resource_bookmarks (
  person_id uuid not null references people (id) on delete cascade,
  resource_id uuid not null references resources (id) on delete cascade,
  created_at timestamptz not null,
  primary key (person_id, resource_id)
);
create index resource_bookmarks_of_person on resource_bookmarks (person_id, created_at desc, resource_id desc);
create index resource_bookmarks_of on resource_bookmarks (resource_id);

-- Who puts a shelf in order beside the one who made it.
create table collection_curators (
  collection_id uuid not null references collections (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  added_by uuid not null references people (id),
  added_at timestamptz not null,
  primary key (collection_id, person_id)
);
create index collection_curators_of_person on collection_curators (person_id);
create index collection_items_in_order on collection_items (collection_id, position, resource_id);
