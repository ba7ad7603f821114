-- What programs may read of the community, in the words of the wire: one view for each noun. A view names; it does not
-- decide. Who sees which rows, and what they find in a column, stands beside the rules (src/community/published/nouns), and
-- is a part of every statement that reads one of these.
create schema published;

create view published.users as
select p.id as object_id, p.created_at as created, p.updated_at as updated, p.id as owner_id, p.display_name as name, p.username,
  p.site_role as role, p.email, p.state as user_status, p.locale, p.pronouns, p.location, p.bio_md as bio, p.photo_id, p.seen_at
from people p;

create view published.groups as
select g.id as object_id, g.created_at as created, null::timestamptz as updated, g.created_by as owner_id, g.name, g.slug, g.purpose,
  g.about_md as about, g.topic, g.rules, g.visibility, g.join_policy, g.history_policy, g.state, g.members_count, g.last_active_at
from groups g;

create view published.memberships as
select m.group_id::text || ':' || m.person_id::text as object_id, m.joined_at as created, m.changed_at as updated, m.person_id as owner_id,
  m.group_id, m.person_id, m.state, m.role, m.notify_level, m.reason, m.banned_until
from memberships m;

create view published.friendships as
select f.low_id::text || ':' || f.high_id::text as object_id, f.requested_at as created, f.changed_at as updated, f.requested_by as owner_id,
  f.low_id, f.high_id, f.high_id as person_id, f.state, f.note
from friendships f;

create view published.blocks as
select b.blocker_id::text || ':' || b.blocked_id::text as object_id, b.created_at as created, null::timestamptz as updated,
  b.blocker_id as owner_id, b.blocked_id as person_id
from blocks b;

create view published.discussions as
select d.id as object_id, d.created_at as created, d.last_post_at as updated, d.author_id as owner_id, d.group_id, d.title, to_jsonb(d.tags) as tags,
  d.language, d.state, d.locked_at is not null as locked, d.locked_reason, d.pinned_at is not null as pinned, d.resolved_at is not null as resolved,
  d.answer_id, greatest(d.posts_count - 1, 0) as replies, d.last_number, d.last_post_at
from discussions d;

create view published.posts as
select p.id as object_id, p.created_at as created, p.edited_at as updated, p.author_id as owner_id, a.display_name as author_name, p.discussion_id, d.group_id,
  p.number, p.body_md as text, p.reply_to, p.state, p.state as stub, p.version
from posts p join discussions d on d.id = p.discussion_id join people a on a.id = p.author_id;

create view published.comments as
select p.id as object_id, p.created_at as created, p.edited_at as updated, p.author_id as owner_id, a.display_name as author_name, p.resource_id, r.group_id,
  p.number, p.body_md as text, p.state, p.state as stub
from posts p join resources r on r.id = p.resource_id join people a on a.id = p.author_id;

create view published.reactions as
select e.post_id::text || ':' || e.person_id::text || ':' || e.emoji as object_id, e.created_at as created, null::timestamptz as updated,
  e.person_id as owner_id, e.post_id, p.discussion_id, d.group_id, e.emoji
from reactions e join posts p on p.id = e.post_id join discussions d on d.id = p.discussion_id;

create view published.bookmarks as
select b.post_id::text || ':' || b.person_id::text as object_id, b.created_at as created, null::timestamptz as updated, b.person_id as owner_id,
  b.post_id, p.discussion_id, b.note, b.remind_at
from bookmarks b join posts p on p.id = b.post_id join discussions d on d.id = p.discussion_id;

create view published.conversations as
select c.id as object_id, c.created_at as created, c.last_message_at as updated, c.creator_id as owner_id, c.kind, c.name, c.last_seq, c.last_message_at,
  null::text as standing, 0 as read_up_to, 0 as unread, null::timestamptz as muted_until, false as archived
from conversations c;

create view published.participants as
select o.conversation_id::text || ':' || o.person_id::text as object_id, o.joined_at as created, null::timestamptz as updated, o.person_id as owner_id,
  o.conversation_id, o.person_id, o.state
from participants o;

create view published.messages as
select x.id as object_id, x.created_at as created, x.edited_at as updated, x.author_id as owner_id, x.conversation_id, x.seq, x.body_md as text,
  x.reply_to, null::text as stub
from messages x;

create view published.resources as
select r.id as object_id, r.created_at as created, r.updated_at as updated, r.keeper_id as owner_id, r.group_id, r.kind, r.title, r.why, r.url, r.site_name,
  r.body_md as text, to_jsonb(r.tags) as tags, r.language, r.licence, r.state, r.health, r.version, r.comments_count
from resources r;

create view published.collections as
select c.id as object_id, c.created_at as created, null::timestamptz as updated, c.curator_id as owner_id, c.group_id, c.title, c.about
from collections c;

-- What stands on a shelf, as links from one to the other.
create view published.collection_resources as
select i.collection_id as parent, i.resource_id as child, i.position
from collection_items i;

create view published.notifications as
select n.id as object_id, n.created_at as created, n.updated_at as updated, n.person_id as owner_id, n.kind, n.reason, n.detail, n.count,
  n.object_kind as about_kind, n.object_id as about_id, n.latest_id, n.read_at is null as unread, n.seen_at
from notifications n;
