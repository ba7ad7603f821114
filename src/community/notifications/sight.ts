import { sql } from "#platform/database";
import { heldFor, othersJudge, removedBy, withWhatIsReported } from "#community/discussions";
import {
  asksForOwner,
  contentReadable,
  discussionReadable,
  groupLed,
  groupVisible,
  ownGroupReported,
  readAsMember,
  readsFrom,
  waitsToBeLetIn,
} from "#community/groups";

// In every statement with these fragments `n` is the notification and its person the viewer.

const tie = sql`left join memberships m on m.group_id = g.id and m.person_id = n.person_id`;

/** A row about a single post needs that post; a grouped row stays. */
const several = sql`(n.count > 1 or n.latest_id is null)`;

/** A row with a stored name shows only that name, because its person can no longer see the subject. */
const byItsName = sql`n.kept_name is not null`;

const discussionInSight = sql`(${byItsName} or exists (
  select from discussions d join groups g on g.id = d.group_id ${tie}
  where d.id = n.object_id and d.state <> 'deleted' and ${discussionReadable}
    and (${several} or exists (
      select from posts x where x.id = n.latest_id and x.discussion_id = d.id and x.state = 'published' and coalesce(x.created_at >= ${readsFrom("d")}, true)))))`;

const conversationInSight = sql`exists (
  select from participants o where o.conversation_id = n.object_id and o.person_id = n.person_id and o.state in ('accepted', 'request')
    and (${several} or exists (select from messages x where x.id = n.latest_id and x.deleted_at is null and x.seq > o.joined_seq)))`;

/** Whether a notification about a group is still true, for people who may know of the group. */
const stillSo = sql`case n.kind
  when 'group_request' then ${groupLed}
  when 'group_appeal' then ${groupLed}
  when 'post_waits' then ${groupLed} and g.state = 'active' and ${heldFor(sql`n.object_id`, sql`n.person_id`)}
  when 'group_decision' then case n.detail when 'admitted' then coalesce(m.state = 'member', false) when 'heir_declined' then coalesce(m.state = 'member', false) when 'inspected' then ${groupLed} else true end
  when 'group_role' then coalesce(m.state not in ('removed', 'banned'), true)
  when 'group_opening' then coalesce(m.state = 'member', false) and (coalesce(g.wider_at = n.moment, false) or g.visibility = n.detail)
  else true end`;

/** Pending groups are notified to staff, who may otherwise not know of them. */
const waitsForThem = sql`exists (
  select from groups g join people me on me.id = n.person_id where g.id = n.object_id and me.site_role <> 'member'
    and case n.detail when 'heir' then me.site_role = 'admin' and ${asksForOwner} else ${waitsToBeLetIn} end)`;

const groupInSight = sql`(${byItsName} or case n.kind when 'group_waits' then ${waitsForThem} else exists (
  select from groups g ${tie} where g.id = n.object_id and ${groupVisible} and ${stillSo}) end)`;

/** Posts pending under a resource outside groups are for staff. */
const waitsUnderIt = sql`(n.kind <> 'post_waits' or (exists (select from people me where me.id = n.person_id and me.site_role <> 'member')
  and ${heldFor(sql`n.object_id`, sql`n.person_id`)}))`;

const resourceInSight = sql`(${byItsName} or (${waitsUnderIt} and exists (
  select from resources r left join groups g on g.id = r.group_id ${tie}
  where r.id = n.object_id and r.state <> 'removed' and (r.group_id is null or ${contentReadable("r", "created_at")})
    and (${several} or exists (select from posts x where x.id = n.latest_id and x.state = 'published')))))`;

/**
 * An announcement `x`: in a group it is for members, some of whom read only from their joining day on. `m` is
 * the membership in its group `g`, if any.
 */
export const announcementReadable = sql<boolean>`
  (x.taken_back_at is null and (x.group_id is null or (g.state <> 'deleted' and ${readAsMember(sql`x.made_at`)})))`;

const announcementInSight = sql`exists (
  select from announcements x left join groups g on g.id = x.group_id ${tie} where x.id = n.object_id and ${announcementReadable})`;

/** Whether the report `r` is pending for `who`, a row of people: SQL twin of `reportRules.resolve`. */
export const reportWaits = (who: ReturnType<typeof sql>) => sql<boolean>`
  (r.resolved_at is null and (${who}.site_role <> 'member' or exists (
      select from (values (1)) one (report) ${withWhatIsReported} join memberships m on m.group_id = g.id and m.person_id = ${who}.id
      where r.group_id is null and g.state <> 'deleted' and ${groupLed}))
    and not exists (select from reports theirs where theirs.reporter_id = ${who}.id
      and (theirs.id = r.id or (theirs.about_id = r.about_id and theirs.resolved_at is null)))
    and not (r.appeal and exists (
      select from (values (1)) one (report) ${withWhatIsReported} where ${removedBy} = ${who}.id and ${othersJudge(sql`${who}.id`)}))
    and not ${ownGroupReported(sql`${who}.id`)}
    and not exists (select from reported_messages theirs where theirs.report_id = r.id and theirs.author_id = ${who}.id))`;

const reportInSight = sql`exists (
  select from reports r join people me on me.id = n.person_id where r.id = n.object_id
    and case when n.kind = 'report_decision' then r.reporter_id = me.id and r.resolved_at is not null else ${reportWaits(sql`me`)} end)`;

/** Whether the person exists and is not blocked either way. */
export const known = (id: ReturnType<typeof sql>) => sql`exists (
  select from people who where who.id = ${id} and (who.id = n.person_id or (who.state in ('active', 'limited', 'suspended', 'ghost') and not exists (
    select from blocks b where (b.blocker_id = n.person_id and b.blocked_id = who.id) or (b.blocker_id = who.id and b.blocked_id = n.person_id)))))`;

/** A pending account is visible to staff only, and only while it is pending. */
const accountWaits = sql`exists (
  select from people me join people it on it.id = n.object_id where me.id = n.person_id and me.site_role <> 'member' and it.state = 'pending_approval')`;

/**
 * Kinds for moderators in their role, or about changes by moderators: blocks do not apply, but a blocked
 * actor is not named.
 */
export const isDuty = (kind: ReturnType<typeof sql>) => sql<boolean>`(${kind} in ('group_request', 'changed'))`;

/** The visibility condition of each kind of subject. */
const SIGHT = {
  discussion: discussionInSight,
  conversation: conversationInSight,
  person: sql`case n.kind when 'account_waits' then ${accountWaits} else ${known(sql`n.object_id`)} end`,
  group: groupInSight,
  resource: resourceInSight,
  announcement: announcementInSight,
  report: reportInSight,
  search: sql`exists (select from saved_searches s where s.id = n.object_id and s.person_id = n.person_id)`,
};
type Thing = keyof typeof SIGHT;
const THINGS = Object.keys(SIGHT) as Thing[];
/** Kinds that most notifications have. */
const USUAL = ["discussion", "conversation", "person"] satisfies Thing[];

const inSightOf = (things: Thing[]) => sql<boolean>`(
  case n.object_kind ${sql.join(
    things.map((it) => sql`when ${sql.lit(it)} then ${SIGHT[it]}`),
    sql` `,
  )} else false end
  and (n.actors = '{}' or ${isDuty(sql`n.kind`)} or exists (select from unnest(n.actors) actor (id) where ${known(sql`actor.id`)})))`;

/** Whether a person may still know what they were notified of; checked when shown, counted and sent. */
export const inSight = inSightOf(THINGS);

/** Notifications that are listed and counted, if visible. */
export const current = sql<boolean>`(n.withdrawn_at is null and n.shown and not n.filtered)`;

const unseen = (personId: string) => sql`n.person_id = ${personId}::uuid and n.read_at is null and n.seen_at is null and ${current}`;

/** A row per unseen notification, 100 at most. */
export const unseenOf = (personId: string) => sql`select n.id from notifications n where ${unseen(personId)} and ${inSight} limit 100`;

/**
 * The same in two parts for the query on every page: PostgreSQL plans every table a statement may touch, and
 * uncommon kinds add a hundred. Common kinds, and all others.
 */
export const unseenUsual = (personId: string) =>
  sql`select n.id from notifications n where ${unseen(personId)} and ${inSightOf(USUAL)} limit 100`;
const isUsual = sql`n.object_kind in (${sql.join(USUAL.map((it) => sql.lit(it)))})`;
export const unseenOthers = (personId: string) =>
  sql`select n.id from notifications n where ${unseen(personId)} and not ${isUsual} and ${inSight} limit 100`;
/** Whether unseen ones of uncommon kinds exist, visible or not. */
export const hasUnseenOthers = (personId: string) =>
  sql<boolean>`exists (select from notifications n where ${unseen(personId)} and not ${isUsual})`;
