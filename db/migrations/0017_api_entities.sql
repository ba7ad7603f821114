-- API entities: the community's tables in the vocabulary of the API. Code adds the viewer's visibility.

create schema published;

create view published.blocks (object_id, created, updated, owner_id, person_id) as
 select (b.blocker_id::text || ':') || b.blocked_id::text as object_id,
    b.created_at as created,
    null::timestamp with time zone as updated,
    b.blocker_id as owner_id,
    b.blocked_id as person_id
   from blocks b;

create view published.bookmarks (object_id, created, updated, owner_id, post_id, discussion_id, note, remind_at) as
 select (b.post_id::text || ':') || b.person_id::text as object_id,
    b.created_at as created,
    null::timestamp with time zone as updated,
    b.person_id as owner_id,
    b.post_id,
    p.discussion_id,
    b.note,
    b.remind_at
   from bookmarks b
     join posts p on p.id = b.post_id
     join discussions d on d.id = p.discussion_id;

create view published.collection_resources (parent, child, position) as
 select i.collection_id as parent,
    i.resource_id as child,
    i."position"
   from collection_items i;

create view published.collections (object_id, created, updated, owner_id, group_id, title, about) as
 select c.id as object_id,
    c.created_at as created,
    null::timestamp with time zone as updated,
    c.curator_id as owner_id,
    c.group_id,
    c.title,
    c.about
   from collections c;

create view published.comments (object_id, created, updated, owner_id, author_name, resource_id, group_id, number, text, state, stub, version) as
 select p.id as object_id,
    p.created_at as created,
    p.edited_at as updated,
    p.author_id as owner_id,
    a.display_name as author_name,
    p.resource_id,
    r.group_id,
    p.number,
    p.body_md as text,
    p.state,
    p.state as stub,
    p.version
   from posts p
     join resources r on r.id = p.resource_id
     join people a on a.id = p.author_id;

create view published.conversations (object_id, created, updated, owner_id, kind, name, last_seq, last_message_at, standing, read_up_to, unread, muted_until, archived) as
 select c.id as object_id,
    c.created_at as created,
    c.last_message_at as updated,
    c.creator_id as owner_id,
    c.kind,
    c.name,
    c.last_seq,
    c.last_message_at,
    null::text as standing,
    0 as read_up_to,
    0 as unread,
    null::timestamp with time zone as muted_until,
    false as archived
   from conversations c;

create view published.discussions (object_id, created, updated, owner_id, group_id, title, tags, language, state, locked, locked_reason, pinned, resolved, answer_id, replies, last_number, last_post_at) as
 select d.id as object_id,
    d.created_at as created,
    d.last_post_at as updated,
    d.author_id as owner_id,
    d.group_id,
    d.title,
    to_jsonb(d.tags) as tags,
    d.language,
    d.state,
    d.locked_at is not null as locked,
    d.locked_reason,
    d.pinned_at is not null and coalesce(d.pinned_until > now(), true) as pinned,
    d.resolved_at is not null as resolved,
    d.answer_id,
    greatest(d.posts_count - 1, 0) as replies,
    d.last_number,
    d.last_post_at
   from discussions d;

create view published.friendships (object_id, created, updated, owner_id, low_id, high_id, person_id, state, note) as
 select (f.low_id::text || ':') || f.high_id::text as object_id,
    f.requested_at as created,
    f.changed_at as updated,
    f.requested_by as owner_id,
    f.low_id,
    f.high_id,
    f.high_id as person_id,
    f.state,
    f.note
   from friendships f;

create view published.groups (object_id, created, updated, owner_id, name, slug, purpose, about, topic, rules, visibility, join_policy, history_policy, state, members_count, last_active_at) as
 select g.id as object_id,
    g.created_at as created,
    null::timestamp with time zone as updated,
    g.created_by as owner_id,
    g.name,
    g.slug,
    g.purpose,
    g.about_md as about,
    g.topic,
    g.rules,
    g.visibility,
    g.join_policy,
    g.history_policy,
    g.state,
    g.members_count,
    g.last_active_at
   from groups g;

create view published.memberships (object_id, created, updated, owner_id, group_id, person_id, state, role, notify_level, reason, banned_until) as
 select (m.group_id::text || ':') || m.person_id::text as object_id,
    m.joined_at as created,
    m.changed_at as updated,
    m.person_id as owner_id,
    m.group_id,
    m.person_id,
    m.state,
    m.role,
    m.notify_level,
    m.reason,
    m.banned_until
   from memberships m;

create view published.messages (object_id, created, updated, owner_id, conversation_id, seq, text, reply_to, stub) as
 select x.id as object_id,
    x.created_at as created,
    x.edited_at as updated,
    x.author_id as owner_id,
    x.conversation_id,
    x.seq,
    x.body_md as text,
    x.reply_to,
    null::text as stub
   from messages x;

create view published.notifications (object_id, created, updated, owner_id, kind, reason, detail, count, about_kind, about_id, latest_id, unread, seen_at) as
 select n.id as object_id,
    n.created_at as created,
    n.updated_at as updated,
    n.person_id as owner_id,
    n.kind,
    n.reason,
    n.detail,
    n.count,
    n.object_kind as about_kind,
    n.object_id as about_id,
    n.latest_id,
    n.read_at is null as unread,
    n.seen_at
   from notifications n;

create view published.participants (object_id, created, updated, owner_id, conversation_id, person_id, state) as
 select (o.conversation_id::text || ':') || o.person_id::text as object_id,
    o.joined_at as created,
    null::timestamp with time zone as updated,
    o.person_id as owner_id,
    o.conversation_id,
    o.person_id,
    o.state
   from participants o;

create view published.posts (object_id, created, updated, owner_id, author_name, discussion_id, group_id, number, text, reply_to, state, stub, version) as
 select p.id as object_id,
    p.created_at as created,
    p.edited_at as updated,
    p.author_id as owner_id,
    a.display_name as author_name,
    p.discussion_id,
    d.group_id,
    p.number,
    p.body_md as text,
    p.reply_to,
    p.state,
    p.state as stub,
    p.version
   from posts p
     join discussions d on d.id = p.discussion_id
     join people a on a.id = p.author_id;

create view published.reactions (object_id, created, updated, owner_id, post_id, discussion_id, group_id, emoji) as
 select (((e.post_id::text || ':') || e.person_id::text) || ':') || e.emoji as object_id,
    e.created_at as created,
    null::timestamp with time zone as updated,
    e.person_id as owner_id,
    e.post_id,
    p.discussion_id,
    d.group_id,
    e.emoji
   from reactions e
     join posts p on p.id = e.post_id
     join discussions d on d.id = p.discussion_id;

create view published.resources (object_id, created, updated, owner_id, group_id, kind, title, why, url, site_name, text, tags, language, licence, state, health, version, comments_count, edits_by, changes) as
 select r.id as object_id,
    r.created_at as created,
    r.updated_at as updated,
    r.owner_id,
    r.group_id,
    r.kind,
    r.title,
    r.why,
    r.url,
    r.site_name,
    r.body_md as text,
    to_jsonb(r.tags) as tags,
    r.language,
    r.licence,
    r.state,
    r.health,
    r.version,
    r.comments_count,
    r.edits_by,
    r.changes
   from resources r;

create view published.users (object_id, created, updated, owner_id, name, username, role, email, user_status, locale, pronouns, location, bio, photo_id, seen_at, properties) as
 select p.id as object_id,
    p.created_at as created,
    p.updated_at as updated,
    p.id as owner_id,
    p.display_name as name,
    p.username,
    p.site_role as role,
    p.email,
    p.state as user_status,
    p.locale,
    p.pronouns,
    p.location,
    p.bio_md as bio,
    p.photo_id,
    p.seen_at,
    p.properties
   from people p;
