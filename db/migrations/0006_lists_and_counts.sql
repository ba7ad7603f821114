-- How many are in a group is asked on every card and never counted there.
alter table groups add column members_count integer not null default 0;
alter table memberships add check (state <> 'member' or joined_at is not null);

-- Members: owners, then moderators (the names happen to sort that way), the newest first.
create index memberships_in_order on memberships (group_id, role desc, joined_at desc, person_id desc) where state = 'member';
create index groups_by_size on groups (members_count desc, id desc) where state = 'active' and visibility <> 'secret';

-- What is unread in a group is counted from this index alone, in its order.
drop index discussions_of_group;
create index discussions_of_group on discussions (group_id, last_post_at desc, id desc) include (last_number) where state = 'open';
-- The orders of a group's discussions besides the last post's.
create index discussions_by_start on discussions (group_id, created_at desc, id desc) where state = 'open';
create index discussions_by_size on discussions (group_id, posts_count desc, id desc) where state = 'open';
create index discussions_unanswered on discussions (group_id, last_post_at desc, id desc) where state = 'open' and posts_count = 1;
create index discussions_pinned on discussions (group_id, pinned_at desc) where pinned_at is not null and state = 'open';

create index resources_by_title on resources (lower(title), id) where state = 'published';
create index resources_by_talk on resources (comments_count desc, id desc) where state = 'published';
create index collections_of_group on collections (group_id, created_at);

-- Words to be found by; the expressions stand in the statements in the same form.
create index people_words on people using gin (to_tsvector('simple', display_name || ' ' || translate(username, '_.-', '   ')));
create index groups_words on groups using gin (to_tsvector('simple', name || ' ' || purpose));
create index discussions_words on discussions using gin (to_tsvector('simple', title)) where state = 'open';
create index resources_words on resources using gin (to_tsvector('simple', title || ' ' || why)) where state = 'published';

-- What is looked up when a person or a post goes.
create index reactions_of_person on reactions (person_id, created_at desc);
create index posts_replied_to on posts (reply_to) where reply_to is not null;

-- A sender who takes back what had been declined sees it gone; that it was declined stays known.
alter table friendships add column cancelled boolean not null default false;

-- What a post said before it was changed.
create table post_revisions (
  post_id uuid not null references posts (id) on delete cascade,
  body_md text not null,
  replaced_at timestamptz not null,
  replaced_by uuid not null references people (id),
  primary key (post_id, replaced_at)
);

-- The log of a group: what was done to what stands in it.
create index audit_events_in_group on audit_events ((details->>'groupId'), at desc) where details ? 'groupId';
