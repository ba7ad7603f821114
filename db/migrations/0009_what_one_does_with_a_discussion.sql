-- What one can do with a discussion: change a text and see what it said, move talk about, read on where one stopped,
-- mark posts, ask a question with answers to choose from.

-- Counts the changes of a text: a change that was made from an older one is refused.
alter table posts
  add column version integer not null default 1,
  add column taken_at timestamptz,
  add column taken_by uuid references people (id),
  add column taken_reason text not null default '',
  -- Where a post is that was split off: what stays behind keeps the number.
  add column moved_to uuid references posts (id) on delete set null;
alter table posts drop constraint posts_state_check;
alter table posts add constraint posts_state_check check (state in ('published', 'hidden', 'deleted_by_author', 'removed', 'moved'));
update posts set taken_at = now(), taken_by = author_id where state in ('deleted_by_author', 'removed');
create index posts_moved_to on posts (moved_to) where moved_to is not null;
create index posts_taken on posts (taken_at) where state in ('deleted_by_author', 'removed');

alter table discussions
  add column archived_at timestamptz,
  add column archived_by uuid references people (id),
  add column deleted_at timestamptz,
  add column deleted_by uuid references people (id),
  -- Seconds between two replies of one person; 0: as many as they like.
  add column slow_seconds integer not null default 0 check (slow_seconds between 0 and 86400),
  -- What is to happen by itself, and when.
  add column timer text check (timer in ('close', 'open')),
  add column timer_at timestamptz,
  add column timer_by uuid references people (id),
  add column timer_reason text not null default '',
  add column answer_id uuid references posts (id) on delete set null,
  add check ((timer is null) = (timer_at is null) and (timer is null) = (timer_by is null));
update discussions set deleted_at = now(), deleted_by = author_id where state = 'deleted';
create index discussions_put_away on discussions (group_id, state, last_post_at desc, id desc) where state <> 'open';
create index discussions_deleted on discussions (deleted_at) where state = 'deleted';
create index discussions_due on discussions (least(timer_at, pinned_until)) where timer_at is not null or pinned_until is not null;
create index discussions_answered on discussions (answer_id) where answer_id is not null;

-- What was done to a discussion, as a line between its posts. What it names elsewhere is named to who may know of it.
create table discussion_lines (
  id uuid primary key,
  discussion_id uuid not null references discussions (id) on delete cascade,
  kind text not null,
  at timestamptz not null,
  by_id uuid references people (id),
  reason text not null default '',
  other_discussion_id uuid references discussions (id) on delete set null,
  other_group_id uuid references groups (id) on delete set null,
  details jsonb not null default '{}'
);
create index discussion_lines_in_order on discussion_lines (discussion_id, at desc, id desc);
create index discussion_lines_to on discussion_lines (other_discussion_id) where other_discussion_id is not null;
create index discussion_lines_group on discussion_lines (other_group_id) where other_group_id is not null;

-- Addresses of discussions that were merged into another, and of the posts that stood in them.
create table former_discussions (
  id uuid primary key,
  discussion_id uuid not null references discussions (id) on delete cascade,
  merged_at timestamptz not null
);
create index former_discussions_of on former_discussions (discussion_id);
create table former_posts (
  discussion_id uuid not null,
  number integer not null,
  post_id uuid not null references posts (id) on delete cascade,
  primary key (discussion_id, number)
);
create index former_posts_of on former_posts (post_id);

-- How long somebody has read here, and whether they chose how closely they follow.
alter table read_states
  add column read_ms integer not null default 0,
  add column level_chosen boolean not null default false;

create table bookmarks (
  person_id uuid not null references people (id) on delete cascade,
  post_id uuid not null references posts (id) on delete cascade,
  note text not null default '' check (char_length(note) <= 300),
  remind_at timestamptz,
  reminded_at timestamptz,
  created_at timestamptz not null,
  primary key (person_id, post_id)
);
create index bookmarks_of_person on bookmarks (person_id, created_at desc, post_id desc);
create index bookmarks_of_post on bookmarks (post_id);
create index bookmarks_due on bookmarks (remind_at) where remind_at is not null and reminded_at is null;

create table polls (
  post_id uuid primary key references posts (id) on delete cascade,
  -- How many of the options one person may choose.
  most integer not null default 1 check (most between 1 and 20),
  results text not null default 'always' check (results in ('always', 'voted', 'ended')),
  closes_at timestamptz,
  created_at timestamptz not null
);
create table poll_options (
  post_id uuid not null references polls (post_id) on delete cascade,
  position integer not null check (position between 1 and 20),
  text text not null check (char_length(text) between 1 and 200),
  primary key (post_id, position)
);
create table poll_votes (
  post_id uuid not null,
  position integer not null,
  person_id uuid not null references people (id) on delete cascade,
  at timestamptz not null,
  primary key (post_id, person_id, position),
  foreign key (post_id, position) references poll_options (post_id, position) on delete cascade
);
create index poll_votes_of_option on poll_votes (post_id, position);
create index poll_votes_of_person on poll_votes (person_id);
