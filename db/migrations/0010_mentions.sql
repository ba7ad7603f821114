-- Whom a post calls by name. The text keeps the name as it was written; what counts is who it was.
create table post_mentions (
  post_id uuid not null references posts (id) on delete cascade,
  person_id uuid references people (id) on delete cascade,
  group_id uuid references groups (id) on delete cascade,
  created_at timestamptz not null,
  check ((person_id is null) <> (group_id is null)),
  unique (post_id, person_id),
  unique (post_id, group_id)
);
create index post_mentions_of_person on post_mentions (person_id, created_at desc) where person_id is not null;
create index post_mentions_of_group on post_mentions (group_id, created_at desc) where group_id is not null;
