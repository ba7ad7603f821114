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

// In every statement with these fragments `n` is the notification; its person is who looks.

const tie = sql`left join memberships m on m.group_id = g.id and m.person_id = n.person_id`;

/** Of a row that stands for one thing that thing has to be there; one that stands for several stays. */
const several = sql`(n.count > 1 or n.latest_id is null)`;

/** A row that keeps a name tells by it of what its person may not see any more, and of nothing else. */
const byItsName = sql`n.kept_name is not null`;

const discussionInSight = sql`(${byItsName} or exists (
  select from discussions d join groups g on g.id = d.group_id ${tie}
  where d.id = n.object_id and d.state <> 'deleted' and ${discussionReadable}
    and (${several} or exists (
      select from posts x where x.id = n.latest_id and x.discussion_id = d.id and x.state = 'published' and coalesce(x.created_at >= ${readsFrom("d")}, true)))))`;

const conversationInSight = sql`exists (
  select from participants o where o.conversation_id = n.object_id and o.person_id = n.person_id and o.state in ('accepted', 'request')
    and (${several} or exists (select from messages x where x.id = n.latest_id and x.deleted_at is null and x.seq > o.joined_seq)))`;

/** Whether what was told of a group is so by now, for who may know of it. */
const stillSo = sql`case n.kind
  when 'group_request' then ${groupLed}
  when 'group_appeal' then ${groupLed}
  when 'post_waits' then ${groupLed} and g.state = 'active' and ${heldFor(sql`n.object_id`, sql`n.person_id`)}
  when 'group_decision' then case n.detail when 'admitted' then coalesce(m.state = 'member', false) when 'heir_declined' then coalesce(m.state = 'member', false) when 'inspected' then ${groupLed} else true end
  when 'group_role' then coalesce(m.state not in ('removed', 'banned'), true)
  when 'group_opening' then coalesce(m.state = 'member', false) and (coalesce(g.wider_at = n.moment, false) or g.visibility = n.detail)
  else true end`;

/** What waits at the desk is told to who decides there, of a group that they otherwise may not know of. */
const waitsForThem = sql`exists (
  select from groups g join people me on me.id = n.person_id where g.id = n.object_id and me.site_role <> 'member'
    and case n.detail when 'heir' then me.site_role = 'admin' and ${asksForOwner} else ${waitsToBeLetIn} end)`;

const groupInSight = sql`(${byItsName} or case n.kind when 'group_waits' then ${waitsForThem} else exists (
  select from groups g ${tie} where g.id = n.object_id and ${groupVisible} and ${stillSo}) end)`;

/** What waits under it, where it is in no group, is for those who look after the whole place. */
const waitsUnderIt = sql`(n.kind <> 'post_waits' or (exists (select from people me where me.id = n.person_id and me.site_role <> 'member')
  and ${heldFor(sql`n.object_id`, sql`n.person_id`)}))`;

const resourceInSight = sql`(${byItsName} or (${waitsUnderIt} and exists (
  select from resources r left join groups g on g.id = r.group_id ${tie}
  where r.id = n.object_id and r.state <> 'removed' and (r.group_id is null or ${contentReadable("r", "created_at")})
    and (${several} or exists (select from posts x where x.id = n.latest_id and x.state = 'published')))))`;

/** An announcement `x`: of a group it is for its members, of whom some read from the day they joined. `m` is their tie to its group `g`, if it has one. */
export const announcementReadable = sql<boolean>`
  (x.taken_back_at is null and (x.group_id is null or (g.state <> 'deleted' and ${readAsMember(sql`x.made_at`)})))`;

const announcementInSight = sql`exists (
  select from announcements x left join groups g on g.id = x.group_id ${tie} where x.id = n.object_id and ${announcementReadable})`;

/** Whether the report `r` waits for `who`, a row of people: the twin of `reportRules.resolve`. */
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

/** Whether a person is there, and not parted from the one who looks by a block. */
export const known = (id: ReturnType<typeof sql>) => sql`exists (
  select from people who where who.id = ${id} and (who.id = n.person_id or (who.state in ('active', 'limited', 'suspended', 'ghost') and not exists (
    select from blocks b where (b.blocker_id = n.person_id and b.blocked_id = who.id) or (b.blocker_id = who.id and b.blocked_id = n.person_id)))))`;

/** An account that waits is told to staff, who know of it while it does; it is nobody's to know otherwise. */
const accountWaits = sql`exists (
  select from people me join people it on it.id = n.object_id where me.id = n.person_id and me.site_role <> 'member' and it.state = 'pending_approval')`;

/** It is told to somebody in the capacity in which nobody can block them, or was done to what is theirs in such a one; where a block parts them from who did it, nobody is named. */
export const isDuty = (kind: ReturnType<typeof sql>) => sql<boolean>`(${kind} in ('group_request', 'changed'))`;

/** What each kind of thing that somebody is told of has to be for them still. */
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
/** What most are told of. */
const USUAL = ["discussion", "conversation", "person"] satisfies Thing[];

const inSightOf = (things: Thing[]) => sql<boolean>`(
  case n.object_kind ${sql.join(
    things.map((it) => sql`when ${sql.lit(it)} then ${SIGHT[it]}`),
    sql` `,
  )} else false end
  and (n.actors = '{}' or ${isDuty(sql`n.kind`)} or exists (select from unnest(n.actors) actor (id) where ${known(sql`actor.id`)})))`;

/** Whether somebody may still know what they were told of: asked whenever it is shown, counted or sent. */
export const inSight = inSightOf(THINGS);

/** What stands on the page and counts in figures, if it is in sight. */
export const current = sql<boolean>`(n.withdrawn_at is null and n.shown and not n.filtered)`;

const unseen = (personId: string) => sql`n.person_id = ${personId}::uuid and n.read_at is null and n.seen_at is null and ${current}`;

/** One row for each that the person has not been shown yet, 100 at most. */
export const unseenOf = (personId: string) => sql`select n.id from notifications n where ${unseen(personId)} and ${inSight} limit 100`;

/**
 * The same in two, for what is asked beside every page: PostgreSQL makes ready for all that a statement may have to look at, a hundred tables
 * for what hardly anybody is told of. Of the usual things, and of all others.
 */
export const unseenUsual = (personId: string) =>
  sql`select n.id from notifications n where ${unseen(personId)} and ${inSightOf(USUAL)} limit 100`;
const isUsual = sql`n.object_kind in (${sql.join(USUAL.map((it) => sql.lit(it)))})`;
export const unseenOthers = (personId: string) =>
  sql`select n.id from notifications n where ${unseen(personId)} and not ${isUsual} and ${inSight} limit 100`;
/** Whether there are such, in sight or not. */
export const hasUnseenOthers = (personId: string) =>
  sql<boolean>`exists (select from notifications n where ${unseen(personId)} and not ${isUsual})`;
