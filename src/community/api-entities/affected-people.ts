import { type Db, many, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { joinMembership, isDiscussionReadable } from "#community/groups";
import { reportModerators } from "#community/discussions";
import { privacyDefaults } from "#community/rules";

/** Events that change the counts of the person who caused them. */
const OWN_EVENTS = new RegExp(
  String.raw`^(discussion\.(read|followed)|conversation\.|friend\.|person\.(blocked|muted` +
    String.raw`|unmuted)|group\.(joined|left|request_withdrawn|invitation_declined))`,
);
/**
 * Events that change the counts of the person in `personId`. Rejected requests and ended friendships are
 * left out, so that the person does not notice them. A block looks like a withdrawn request.
 */
const OTHERS_EVENTS = new RegExp(
  String.raw`^(conversation\.removed|friend\.(requested|accepted|cancelled)|person\.blocked` +
    String.raw`|group\.(invited|join_approved|join_declined|removed|banned|role_changed)|notification\..*)$`,
);

/** Events that change how many cases are open. */
const REPORT_EVENTS = /^report\.(created|resolved|reopened)$/;
/** Events that change how many texts await approval. Their author learns of them by notifications. */
const APPROVAL_EVENTS = /^(post\.(pending|approved|returned|withdrawn)|(resource|profile)\.approved)$/;

/**
 * A person whose counts may have changed. `news`: someone else has posted something that the person has not
 * muted, so the person's lists changed too.
 */
export type AffectedPerson = { id: string; news: boolean };

/** Online people whose counts (unread, requests, invitations) a domain event may have changed. */
export async function listAffectedPeople(
  db: Db,
  domainEvent: DomainEvent,
  here: string[],
): Promise<AffectedPerson[]> {
  const { type, personId, by } = domainEvent;
  const named = [OTHERS_EVENTS.test(type) ? personId : null, OWN_EVENTS.test(type) ? by : null];
  const others = affectedMembers(domainEvent);
  const found =
    others && here.length > 0
      ? await many(db, sql<{ id: string; news?: boolean }>`${others} and person_id = any(${here}::uuid[])`)
      : [];
  const news = new Map<unknown, boolean>([
    ...named.map((id) => [id, false] as const),
    ...found.map((it) => [it.id, it.news ?? false] as const),
  ]);
  return here.filter((id) => news.has(id)).map((id) => ({ id, news: news.get(id)! }));
}

/**
 * Condition: the group member `m` has not muted the group or the discussion, and has not blocked `by`. The
 * list of unread discussions has the same exceptions.
 */
const isInterested = ({ discussionId, by }: DomainEvent) => sql<boolean>`(m.notify_level <> 'mute'
  and not exists (select from read_positions rs
    where rs.person_id = m.person_id and rs.discussion_id = ${discussionId}::uuid and rs.level = 'muted')
  and not ${isBlockedBy("m.person_id", by)})`;

const isBlockedBy = (who: string, by: DomainEvent[string] | undefined) =>
  sql<boolean>`exists (select from blocks b
    where b.blocker_id = ${sql.ref(who)} and b.blocked_id = ${by}::uuid)`;

/** Selects affected members other than the actor. The caller appends the last condition. */
function affectedMembers(domainEvent: DomainEvent) {
  const { type, groupId, fromGroupId = groupId, discussionId, conversationId, objectId, by } = domainEvent;
  const { reportId, personId } = domainEvent;
  if (type === "discussion.started")
    return sql`select person_id as id, ${isInterested(domainEvent)} as news from memberships m
      where group_id = ${groupId}::uuid and state = 'member' and person_id is distinct from ${by}::uuid`;
  if (type === "post.written")
    return sql`select person_id as id, news from (
      select person_id, bool_or(news) as news from (
        select person_id, ${isInterested(domainEvent)} as news from memberships m
        where group_id = ${groupId}::uuid and state = 'member'
        union all select person_id, not ${isBlockedBy("rs.person_id", by)}
          from (${followersOfDiscussion(discussionId)}) rs) each_way group by person_id
      ) told where person_id is distinct from ${by}::uuid`;
  // Discussions enter or leave lists: counts of all members and followers change.
  if (/^discussion\.(archived|unarchived|deleted|restored|moved|merged|split-off)$/.test(type))
    return sql`select person_id as id from (
      select person_id from memberships
      where group_id in (${groupId}::uuid, ${fromGroupId}::uuid) and state = 'member'
      union ${followersOfDiscussion(discussionId)}) told where true`;
  // Moderators who have the request in their lists. When one of them decides it, the lists of the others
  // change too.
  if (/^group\.(requested|request_withdrawn|join_approved|join_declined)$/.test(type))
    return sql`select person_id as id from memberships
      where group_id = ${groupId}::uuid and state = 'member' and role <> 'member'`;
  // Event and group pages show who is going.
  if (type.startsWith("calendar."))
    return sql`select m.person_id as id from memberships m
      where m.group_id = ${groupId}::uuid and m.state = 'member'`;
  if (/^notifications?\.made$/.test(type))
    return sql`select distinct person_id as id from notifications
      where object_id = ${objectId}::uuid and read_at is null and withdrawn_at is null`;
  if (REPORT_EVENTS.test(type))
    return sql`select person_id as id from (${reportModerators(sql`${reportId}::uuid`)}) told where true`;
  if (APPROVAL_EVENTS.test(type))
    return sql`select person_id as id from (${approvers(domainEvent)}) told
      where person_id is distinct from ${personId ?? by}::uuid`;
  if (type === "conversation.read") return seesReadReceipts(conversationId, by);
  // The conversation's last message, participants and name: they change for all people who have it in their
  // list.
  if (/^(message\.(written|edited|deleted)|conversation\.(joined|removed|renamed|accepted))$/.test(type))
    return sql`select person_id as id from participants
      where conversation_id = ${conversationId}::uuid and state in ('accepted', 'request')`;
  return null;
}

/** Moderators of the group; staff too where it is public, and outside of groups. */
const approvers = ({ groupId }: DomainEvent) => sql`
  select person_id from memberships
  where group_id = ${groupId ?? null}::uuid and state = 'member' and role <> 'member'
  union select id from people where site_role <> 'member' and state = 'active' and (
    ${groupId ?? null}::uuid is null
    or exists (select from groups where id = ${groupId ?? null}::uuid and visibility = 'public'))`;

/**
 * Followers of a discussion that everyone can read. Followers have the discussion in their lists without
 * being members.
 */
const followersOfDiscussion = (discussionId: DomainEvent[string] | undefined) => sql`
  select rs.person_id from read_positions rs
  join discussions d on d.id = rs.discussion_id join groups g on g.id = d.group_id
  ${joinMembership(sql`rs.person_id`, "g", "m")}
  where rs.discussion_id = ${discussionId}::uuid and rs.level in ('watching', 'tracking') and rs.level_chosen
    and ${isDiscussionReadable("d", "g", "m")}`;

/**
 * Whether a person sees read receipts: both have accepted the conversation and share their own, and no block
 * separates them.
 */
const seesReadReceipts = (
  conversationId: DomainEvent[string] | undefined,
  by: DomainEvent[string] | undefined,
) => sql`
  select person_id as id from (
    select o.person_id from participants o join people p on p.id = o.person_id
    join participants reader on reader.conversation_id = o.conversation_id and reader.person_id = ${by}::uuid
      and reader.state = 'accepted'
    join people self on self.id = reader.person_id
    where o.conversation_id = ${conversationId}::uuid and o.state = 'accepted' and ${showsReadReceipts("p")}
      and ${showsReadReceipts("self")}
      and not exists (select from blocks b
        where (b.blocker_id = p.id and b.blocked_id = self.id)
          or (b.blocker_id = self.id and b.blocked_id = p.id))) told
  where true`;

const showsReadReceipts = (alias: string) =>
  sql`coalesce((${sql.ref(alias)}.privacy->>'showReading')::boolean, ${privacyDefaults.showReading})`;
