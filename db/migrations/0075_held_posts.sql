-- What newcomers wrote, and somebody who looks after the place looks at before others read it. No list of posts has it: it is said, by the
-- verb that says everything, when it is let in.
create table held_posts (
  id uuid primary key,
  author_id uuid not null references people (id) on delete cascade,
  -- Where it is to stand: a discussion that it begins in a group, an answer, or a comment.
  group_id uuid references groups (id) on delete cascade,
  discussion_id uuid references discussions (id) on delete cascade,
  resource_id uuid references resources (id) on delete cascade,
  -- Of a discussion that is to begin: who could find the group when it was written. It is not opened to more by being let in.
  visibility text,
  -- What was sent, field by field, and its text as it would stand there.
  said jsonb not null,
  body_html text not null,
  client_id uuid,
  created_at timestamptz not null,
  -- Given back to its author, and why.
  sent_back_at timestamptz,
  answer text not null default '',
  check (num_nonnulls(group_id, discussion_id, resource_id) = 1)
);
create unique index held_posts_sent on held_posts (author_id, client_id) where client_id is not null;
create index held_posts_of_author on held_posts (author_id, created_at);
create index held_posts_in_group on held_posts (group_id) where group_id is not null;
create index held_posts_in_discussion on held_posts (discussion_id) where discussion_id is not null;
create index held_posts_under_resource on held_posts (resource_id) where resource_id is not null;
create index held_posts_by_age on held_posts (created_at);
