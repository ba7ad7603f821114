-- Discussions and posts.

create sequence draft_versions as integer maxvalue 1000000000 cycle;

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
  audience text not null default 'group' check (audience in ('group', 'members')),
  archived_at timestamptz,
  archived_by uuid references people (id),
  deleted_at timestamptz,
  deleted_by uuid references people (id),
  slow_seconds integer not null default 0 check (slow_seconds between 0 and 86400),
  timer text check (timer in ('close', 'open')),
  timer_at timestamptz,
  timer_by uuid references people (id),
  timer_reason text not null default '',
  answer_id uuid,
  deleted_reason text not null default '' check (char_length(deleted_reason) <= 300),
  language_known boolean not null default false,
  check ((pinned_at is null) = (pinned_by is null)),
  constraint discussions_check1 check ((locked_at is null) = (locked_by is null)),
  constraint discussions_check2 check ((resolved_at is null) = (resolved_by is null)),
  constraint discussions_check3 check (((timer is null) = (timer_at is null)) and ((timer is null) = (timer_by is null)))
);
create index discussions_latest on discussions (last_post_at desc, id desc) where (state = 'open');
create index discussions_of_author on discussions (author_id, created_at desc);
create index discussions_of_group on discussions (group_id, last_post_at desc, id desc) include (last_number)
  where (state = 'open');
create index discussions_by_start on discussions (group_id, created_at desc, id desc) where (state = 'open');
create index discussions_by_size on discussions (group_id, posts_count desc, id desc) where (state = 'open');
create index discussions_unanswered on discussions (group_id, last_post_at desc, id desc)
  where ((state = 'open') and (posts_count = 1));
create index discussions_pinned on discussions (group_id, pinned_at desc)
  where ((pinned_at is not null) and (state = 'open'));
create index discussions_words on discussions using gin (to_tsvector('simple'::regconfig, title))
  where (state = 'open');
create index discussions_pinned_until on discussions (pinned_until) where (pinned_until is not null);
create index discussions_archived on discussions (group_id, state, last_post_at desc, id desc)
  where (state <> 'open');
create index discussions_deleted on discussions (deleted_at) where (state = 'deleted');
create index discussions_due on discussions (least(timer_at, pinned_until))
  where ((timer_at is not null) or (pinned_until is not null));
create index discussions_answered on discussions (answer_id) where (answer_id is not null);
create index discussions_top on discussions (posts_count desc, last_post_at desc, id desc)
  where (state = 'open');
create index discussions_tags on discussions using gin (tags) where (state = 'open');
create index discussions_by_group on discussions (group_id);
create index discussions_archived_by on discussions (archived_by) where (archived_by is not null);
create index discussions_pinned_by on discussions (pinned_by) where (pinned_by is not null);
create index discussions_locked_by on discussions (locked_by) where (locked_by is not null);
create index discussions_resolved_by on discussions (resolved_by) where (resolved_by is not null);
create index discussions_last_post_by on discussions (last_post_by) where (last_post_by is not null);
create index discussions_timer_by on discussions (timer_by) where (timer_by is not null);
create index discussions_deleted_by on discussions (deleted_by) where (deleted_by is not null);
create index discussions_without_language on discussions (id) where (not language_known);
comment on table discussions is 'Discussions.';
comment on column discussions.state is 'open, locked, archived or deleted.';
comment on column discussions.audience is 'group: whoever reads the group; members: its members.';
comment on column discussions.slow_seconds is 'Pause between two replies of one person.';
comment on column discussions.timer is 'What happens at timer_at: close or open.';
comment on column discussions.answer_id is 'Post that resolved the discussion.';

create table discussion_entries (
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
create index discussion_entries_in_order on discussion_entries (discussion_id, at desc, id desc);
create index discussion_entries_to on discussion_entries (other_discussion_id)
  where (other_discussion_id is not null);
create index discussion_entries_group on discussion_entries (other_group_id)
  where (other_group_id is not null);
create index discussion_entries_of_person on discussion_entries (by_id, at);
comment on table discussion_entries is 'Activity entries between posts: renamed, moved, locked …';

create table former_discussions (
  id uuid primary key,
  discussion_id uuid not null references discussions (id) on delete cascade,
  merged_at timestamptz not null
);
create index former_discussions_of on former_discussions (discussion_id);
comment on table former_discussions is 'Discussions merged into another; their addresses redirect.';

create table posts (
  id uuid primary key,
  discussion_id uuid references discussions (id) on delete cascade,
  resource_id uuid,
  number integer not null,
  author_id uuid not null references people (id),
  reply_to uuid references posts (id) on delete set null,
  body_md text not null,
  body_html text not null,
  state text not null default 'published' check (state in ('published', 'hidden', 'deleted_by_author', 'removed', 'moved')),
  client_id uuid,
  created_at timestamptz not null,
  edited_at timestamptz,
  version integer not null default 1,
  removed_at timestamptz,
  removed_by uuid references people (id),
  removed_reason text not null default '',
  moved_to uuid references posts (id) on delete set null,
  hidden_at timestamptz,
  hidden_count smallint not null default 0,
  unhidden_at timestamptz,
  check ((discussion_id is null) <> (resource_id is null))
);
create unique index posts_of_discussion on posts (discussion_id, number) where (discussion_id is not null);
create unique index posts_of_resource on posts (resource_id, number) where (resource_id is not null);
create unique index posts_client_id on posts (author_id, client_id) where (client_id is not null);
create index posts_of_author on posts (author_id, created_at desc);
create index posts_replied_to on posts (reply_to) where (reply_to is not null);
create index posts_moved_to on posts (moved_to) where (moved_to is not null);
create index posts_removed on posts (removed_at) where (state in ('deleted_by_author', 'removed'));
create index posts_moved on posts (discussion_id, number) where (state = 'moved');
create index posts_removed_by on posts (removed_by) where (removed_by is not null);
comment on table posts is 'Posts of discussions and comments of resources.';
comment on column posts.number is 'Position, never reused.';
comment on column posts.state is 'visible, hidden, removed, deleted_by_author or moved.';
comment on column posts.client_id is 'Names one submission: the same is stored once.';
comment on column posts.hidden_count is 'How often reports hid the post.';
comment on column posts.unhidden_at is 'When a moderator last showed it again.';

alter table discussions add constraint discussions_answer_id_fkey foreign key (answer_id) references posts (id) on delete set null;

create table former_posts (
  discussion_id uuid,
  number integer,
  post_id uuid not null references posts (id) on delete cascade,
  primary key (discussion_id, number)
);
create index former_posts_of on former_posts (post_id);
comment on table former_posts is 'Where moved posts were; their addresses redirect.';

create table post_revisions (
  post_id uuid references posts (id) on delete cascade,
  body_md text not null,
  replaced_at timestamptz,
  replaced_by uuid not null references people (id),
  reason text not null default '' check (char_length(reason) <= 300),
  primary key (post_id, replaced_at)
);
create index post_revisions_of_person on post_revisions (replaced_by, replaced_at desc);
comment on table post_revisions is 'Earlier texts of posts.';

create table post_mentions (
  post_id uuid not null references posts (id) on delete cascade,
  person_id uuid references people (id) on delete cascade,
  group_id uuid references groups (id) on delete cascade,
  created_at timestamptz not null,
  dropped_at timestamptz,
  check ((person_id is null) <> (group_id is null)),
  unique (post_id, person_id),
  unique (post_id, group_id)
);
create index post_mentions_of_person on post_mentions (person_id, created_at desc)
  where (person_id is not null);
create index post_mentions_of_group on post_mentions (group_id, created_at desc) where (group_id is not null);
comment on table post_mentions is 'People and groups mentioned in posts.';

create table post_links (
  post_id uuid references posts (id) on delete cascade,
  address text,
  place smallint not null,
  removed_at timestamptz,
  primary key (post_id, address)
);
create index post_links_by_address on post_links (address);
comment on table post_links is 'Links of posts that have a preview.';

create table reactions (
  post_id uuid references posts (id) on delete cascade,
  person_id uuid references people (id) on delete cascade,
  emoji text check (char_length(emoji) between 1 and 16),
  created_at timestamptz not null,
  primary key (post_id, person_id, emoji)
);
create index reactions_of_person on reactions (person_id, created_at desc);
comment on table reactions is 'Reactions to posts.';

create table polls (
  post_id uuid primary key references posts (id) on delete cascade,
  most integer not null default 1 check (most between 1 and 20),
  results text not null default 'always' check (results in ('always', 'voted', 'ended')),
  closes_at timestamptz,
  created_at timestamptz not null
);
comment on table polls is 'Polls of posts.';
comment on column polls.most is 'Options one person may choose.';

create table poll_options (
  post_id uuid references polls (post_id) on delete cascade,
  position integer check (("position" >= 1) and ("position" <= 20)),
  text text not null check (char_length(text) between 1 and 200),
  primary key (post_id, position)
);
comment on table poll_options is 'Options of polls.';

create table poll_votes (
  post_id uuid,
  position integer,
  person_id uuid references people (id) on delete cascade,
  at timestamptz not null,
  primary key (post_id, person_id, position),
  foreign key (post_id, "position") references poll_options (post_id, "position") on delete cascade
);
create index poll_votes_of_option on poll_votes (post_id, "position");
create index poll_votes_of_person on poll_votes (person_id);
comment on table poll_votes is 'Votes.';

create table bookmarks (
  person_id uuid references people (id) on delete cascade,
  post_id uuid references posts (id) on delete cascade,
  note text not null default '' check (char_length(note) <= 300),
  remind_at timestamptz,
  reminded_at timestamptz,
  created_at timestamptz not null,
  primary key (person_id, post_id)
);
create index bookmarks_of_person on bookmarks (person_id, created_at desc, post_id desc);
create index bookmarks_of_post on bookmarks (post_id);
create index bookmarks_due on bookmarks (remind_at) where ((remind_at is not null) and (reminded_at is null));
comment on table bookmarks is 'Posts that people saved.';

create table read_positions (
  person_id uuid references people (id) on delete cascade,
  discussion_id uuid references discussions (id) on delete cascade,
  last_read_number integer not null default 0,
  level text not null default 'normal' check (level in ('watching', 'tracking', 'normal', 'muted')),
  read_at timestamptz not null,
  read_ms integer not null default 0,
  level_chosen boolean not null default false,
  primary key (person_id, discussion_id)
);
create index read_positions_of_discussion on read_positions (discussion_id, level);
create index read_positions_followed on read_positions (person_id, discussion_id)
  where (level in ('watching', 'tracking'));
comment on table read_positions is 'How far people have read, and how closely they follow.';
comment on column read_positions.read_ms is 'Reading time.';
comment on column read_positions.level_chosen is 'The person chose the level; it does not change automatically.';

create table drafts (
  person_id uuid references people (id) on delete cascade,
  place text,
  version integer not null default 1,
  data jsonb not null,
  saved_at timestamptz not null,
  primary key (person_id, place)
);
create index drafts_by_age on drafts (saved_at);
comment on table drafts is 'Unsent texts.';
comment on column drafts.place is 'Group, discussion or conversation the draft belongs to.';

create table dropped_drafts (
  person_id uuid references people (id) on delete cascade,
  place text,
  data jsonb not null,
  dropped_at timestamptz not null,
  primary key (person_id, place)
);
create index dropped_drafts_by_age on dropped_drafts (dropped_at);
comment on table dropped_drafts is 'Deleted drafts, restorable for an hour.';

create table link_previews (
  address text primary key check (char_length(address) <= 2000),
  title text not null default '',
  description text not null default '',
  site text not null default '',
  fetched_at timestamptz,
  requested_at timestamptz not null
);
comment on table link_previews is 'Titles and descriptions of linked pages.';

alter table post_links add constraint post_links_address_fkey foreign key (address) references link_previews (address) on delete cascade;
