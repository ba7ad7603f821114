-- Moderation: reports, pending posts.

create table reports (
  id uuid primary key,
  reporter_id uuid not null references people (id) on delete cascade,
  conversation_id uuid references conversations (id) on delete set null,
  reason text not null check (char_length(reason) between 1 and 2000),
  created_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by uuid references people (id) on delete set null,
  outcome text check (outcome in ('upheld', 'rejected')),
  note text not null default '' check (char_length(note) <= 1000),
  post_id uuid references posts (id) on delete set null,
  appeal boolean not null default false,
  answer text not null default '',
  person_id uuid references people (id) on delete set null,
  resource_id uuid references resources (id) on delete set null,
  group_id uuid references groups (id) on delete set null,
  about_id uuid generated always as (coalesce(post_id, person_id, resource_id, group_id)) stored,
  check ((resolved_at is null) = (outcome is null)),
  constraint reports_check1 check (num_nonnulls(conversation_id, post_id, person_id, resource_id, group_id) <= 1)
);
create index reports_open on reports (created_at desc, id desc) where (resolved_at is null);
create index reports_resolved on reports (resolved_at desc, id desc) where (resolved_at is not null);
create index reports_of_person on reports (reporter_id, created_at desc);
create index reports_of_post on reports (post_id) where (post_id is not null);
create unique index reports_open_about on reports (about_id, reporter_id)
  where ((about_id is not null) and (resolved_at is null));
create index reports_about on reports (about_id) where (about_id is not null);
create index reports_of_reported_person on reports (person_id) where (person_id is not null);
create index reports_of_resource on reports (resource_id) where (resource_id is not null);
create index reports_of_group on reports (group_id) where (group_id is not null);
create index reports_of_conversation on reports (conversation_id) where (conversation_id is not null);
create index reports_resolved_by on reports (resolved_by) where (resolved_by is not null);
comment on table reports is 'Reports and appeals.';
comment on column reports.appeal is 'The author asks for another decision.';
comment on column reports.about_id is 'Content the report is about, for reports of one thing.';

create table reported_messages (
  report_id uuid references reports (id) on delete cascade,
  seq integer,
  author_id uuid references people (id) on delete set null,
  body_html text not null,
  written_at timestamptz not null,
  edited_at timestamptz,
  chosen boolean not null,
  primary key (report_id, seq)
);
create index reported_messages_of_author on reported_messages (author_id);
comment on table reported_messages is 'Copies of what was reported.';
comment on column reported_messages.chosen is 'The reporter chose it; others are context.';

create table pending_posts (
  id uuid primary key,
  author_id uuid not null references people (id) on delete cascade,
  group_id uuid references groups (id) on delete cascade,
  discussion_id uuid references discussions (id) on delete cascade,
  resource_id uuid references resources (id) on delete cascade,
  visibility text,
  said jsonb not null,
  body_html text not null,
  client_id uuid,
  created_at timestamptz not null,
  returned_at timestamptz,
  answer text not null default '',
  check (num_nonnulls(group_id, discussion_id, resource_id) = 1)
);
create unique index pending_posts_sent on pending_posts (author_id, client_id) where (client_id is not null);
create index pending_posts_of_author on pending_posts (author_id, created_at);
create index pending_posts_in_group on pending_posts (group_id) where (group_id is not null);
create index pending_posts_in_discussion on pending_posts (discussion_id) where (discussion_id is not null);
create index pending_posts_under_resource on pending_posts (resource_id) where (resource_id is not null);
create index pending_posts_by_age on pending_posts (created_at);
comment on table pending_posts is 'First posts that wait for approval.';
comment on column pending_posts.said is 'The fields as they were sent.';
