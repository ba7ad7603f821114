import { many, sql, type Tx } from "#platform/database";
import type { Happening } from "#platform/outbox";
import { heldFor } from "#community/discussions";
import { appealWaits, asksForOwner, waitsToBeLetIn } from "#community/groups";
import { catchUp, clear, tellOwners } from "./catch-up.ts";
import { inSight } from "./sight.ts";

type Sql = ReturnType<typeof sql>;
type End = (tx: Tx, happening: Happening) => Promise<void>;

/** Withdraws the rows matched by `which`; `n` is the notification. */
async function withdraw(tx: Tx, which: Sql): Promise<void> {
  const gone = await many(
    tx,
    sql<{ personId: string; id: string }>`
      update notifications n set withdrawn_at = ${tx.now}
      where n.withdrawn_at is null and ${which} returning n.id, n.person_id as "personId"`,
  );
  await tellOwners(tx, gone, true);
}

/** Withdraws those that their people can no longer see. */
const withdrawWhere = (tx: Tx, which: Sql) => withdraw(tx, sql`${which} and not ${inSight}`);

const inGroup = ({ groupId }: Happening) => sql`n.object_id in (
  select ${groupId}::uuid union all select id from discussions where group_id = ${groupId} union all select id from resources where group_id = ${groupId}
  union all select id from announcements where group_id = ${groupId})`;

const ofGroup: End = (tx, it) => withdrawWhere(tx, inGroup(it));
const ofSomebodyInGroup =
  (who: "by" | "personId"): End =>
  (tx, it) =>
    withdrawWhere(tx, sql`n.person_id = ${it[who]}::uuid and ${inGroup(it)}`);
const ofDiscussion: End = (tx, { discussionId }) => withdrawWhere(tx, sql`n.object_id = ${discussionId}::uuid`);
const ofResource: End = (tx, { resourceId }) => withdrawWhere(tx, sql`n.object_id = ${resourceId}::uuid`);

/** Withdraws notifications between two people, in both directions. */
const ofTwo: End = (tx, { by, personId }) =>
  withdrawWhere(
    tx,
    sql`((n.person_id = ${by}::uuid and ${personId}::uuid = any(n.actors)) or (n.person_id = ${personId}::uuid and ${by}::uuid = any(n.actors)))`,
  );

/** Posts moved to another discussion: their notifications move too, unless an equal one exists there. */
async function movePosts(tx: Tx, it: Happening): Promise<void> {
  const places = [it["discussionId"], it["fromDiscussionId"], it["to"], it["from"]].filter((id) => typeof id === "string");
  await many(
    tx,
    sql`update notifications n set object_id = x.discussion_id from posts x
        where n.object_id = any(${places}::uuid[]) and n.object_kind = 'discussion' and n.read_at is null and n.withdrawn_at is null
          and x.id = n.latest_id and x.discussion_id <> n.object_id
          and not exists (select from notifications o where o.person_id = n.person_id and o.object_id = x.discussion_id and o.kind = n.kind
            and o.filtered = n.filtered and o.read_at is null and o.withdrawn_at is null)`,
  );
  for (const id of places) await withdrawWhere(tx, sql`n.object_id = ${id}::uuid`);
}

/** A link suggestion was decided: its notifications become read for all. */
const suggestionAnswered: End = (tx, { resourceId }) =>
  clear(
    tx,
    sql`n.object_id = ${resourceId}::uuid and (
      (n.kind = 'new_address' and n.detail = 'suggested'
        and not exists (select from link_suggestions s where s.resource_id = n.object_id and s.decided_at is null))
      or (n.kind = 'dead_link' and exists (select from resources r where r.id = n.object_id and r.health <> 'dead')))`,
  );

/** A friend request was answered or withdrawn. */
const friendAnswered: End = (tx, { by, personId }) =>
  clear(tx, sql`n.person_id = ${by}::uuid and n.object_id = ${personId}::uuid and n.kind = 'friend_request'`);
const friendWithdrawn: End = (tx, { by, personId }) =>
  withdraw(tx, sql`n.person_id = ${personId}::uuid and n.object_id = ${by}::uuid and n.kind in ('friend_request', 'friend_accepted')`);

const invitationAnswered: End = (tx, { by, groupId }) =>
  clear(tx, sql`n.person_id = ${by}::uuid and n.object_id = ${groupId}::uuid and n.kind = 'group_invitation'`);

/** A member needs no answer to their request, and a past rejection or removal becomes read. */
const isIn: End = async (tx, it) => {
  await invitationAnswered(tx, it);
  await clear(
    tx,
    sql`n.person_id = ${it["by"]}::uuid and n.object_id = ${it["groupId"]}::uuid and n.kind = 'group_decision' and n.detail <> 'admitted'`,
  );
};

/** For all moderators, once no request is pending. */
const requestsAnswered: End = (tx, { groupId }) =>
  clear(
    tx,
    sql`n.object_id = ${groupId}::uuid and n.kind = 'group_request'
        and not exists (select from memberships r where r.group_id = n.object_id and r.state = 'requested')`,
  );

/** For all moderators, once no ban appeal is pending. */
const appealsAnswered: End = (tx, { groupId }) =>
  clear(
    tx,
    sql`n.object_id = ${groupId}::uuid and n.kind = 'group_appeal'
        and not exists (select from groups g where g.id = n.object_id and ${appealWaits})`,
  );

/** For all moderators, once no post is pending in the group, or under a resource outside groups. */
const heldDecided: End = (tx, { groupId, resourceId }) =>
  clear(
    tx,
    sql`n.kind = 'post_waits' and n.object_id = ${groupId ?? resourceId}::uuid and not ${heldFor(sql`n.object_id`, sql`n.person_id`)}`,
  );

/** For all staff, once one has decided; a resulting role has its own notification. */
const deskDecided: End = (tx, { groupId }) =>
  clear(
    tx,
    sql`n.object_id = ${groupId}::uuid and n.kind = 'group_waits'
        and not exists (select from groups g where g.id = n.object_id and (${waitsToBeLetIn} or ${asksForOwner}))`,
  );

/** For all staff, once one has approved or rejected the account. */
const accountDecided: End = (tx, { personId }) => clear(tx, sql`n.object_id = ${personId}::uuid and n.kind = 'account_waits'`);

/** The founder has edited a rejected group. */
const changedAnew: End = (tx, { by, groupId }) =>
  clear(tx, sql`n.person_id = ${by}::uuid and n.object_id = ${groupId}::uuid and n.kind = 'group_decision' and n.detail = 'turned_down'`);

const isThereAgain: End = (tx, { groupId }) =>
  withdraw(tx, sql`n.object_id = ${groupId}::uuid and n.kind = 'group_archived' and n.detail = 'deleted'`);

/** A removed or hidden post or comment is visible again. */
const isBack: End = (tx, { postId }) => withdraw(tx, sql`n.latest_id = ${postId}::uuid and n.kind = 'post_removed'`);

/** A conversation was accepted, deleted, muted or left: its notifications end. */
async function conversationKept(tx: Tx, { by, conversationId }: Happening): Promise<void> {
  await clear(
    tx,
    sql`n.person_id = ${by}::uuid and n.object_id = ${conversationId}::uuid and exists (
      select from participants o where o.conversation_id = n.object_id and o.person_id = n.person_id
        and (o.archived_at is not null or o.muted_until > ${tx.now} or (n.kind = 'message_request' and o.state <> 'request')))`,
  );
  await withdrawWhere(tx, sql`n.person_id = ${by}::uuid and n.object_id = ${conversationId}::uuid`);
}

const ofConversation: End = (tx, { conversationId, personId }) =>
  withdrawWhere(tx, sql`n.object_id = ${conversationId}::uuid ${personId ? sql`and n.person_id = ${personId}::uuid` : sql``}`);

/** Domain events that end notifications, because they were read, dealt with, or are no longer visible. */
export const ENDS: Record<string, End> = {
  "discussion.read": (tx, { discussionId, by }) => catchUp(tx, String(discussionId), [String(by)]),
  "conversation.read": (tx, { conversationId, by }) => catchUp(tx, String(conversationId), [String(by)]),
  "conversation.accepted": conversationKept,
  "conversation.kept": conversationKept,
  "conversation.left": conversationKept,
  "conversation.removed": ofConversation,
  "message.deleted": ofConversation,
  "friend.accepted": friendAnswered,
  "friend.declined": friendAnswered,
  "friend.cancelled": friendWithdrawn,
  "friend.removed": friendWithdrawn,
  "person.blocked": ofTwo,
  "person.joined": accountDecided,
  "person.turned-away": accountDecided,
  "group.joined": isIn,
  "group.invitation_refused": invitationAnswered,
  "group.admitted": requestsAnswered,
  "group.declined": requestsAnswered,
  "group.request_withdrawn": requestsAnswered,
  "group.left": ofSomebodyInGroup("by"),
  "group.removed": ofSomebodyInGroup("personId"),
  "group.banned": async (tx, it) => {
    await ofSomebodyInGroup("personId")(tx, it);
    await appealsAnswered(tx, it);
  },
  "group.ban_ended": appealsAnswered,
  "group.appeal_declined": appealsAnswered,
  "group.role_changed": async (tx, it) => {
    await ofSomebodyInGroup("personId")(tx, it);
    await deskDecided(tx, it);
  },
  "group.waits": changedAnew,
  "group.let_in": deskDecided,
  "group.turned_down": deskDecided,
  "group.heir_declined": deskDecided,
  "group.deleted": ofGroup,
  "group.purged": ofGroup,
  "group.brought_back": isThereAgain,
  "group.changed": ofGroup,
  "group.opening_cancelled": ofGroup,
  "discussion.deleted": ofDiscussion,
  "discussion.restored": (tx, { discussionId }) =>
    withdraw(tx, sql`n.object_id = ${discussionId}::uuid and n.kind = 'post_removed' and n.detail = 'discussion'`),
  "discussion.moved": ofDiscussion,
  "discussion.merged": movePosts,
  "discussion.split": movePosts,
  "post.let_in": heldDecided,
  "post.sent_back": heldDecided,
  "post.taken_back": heldDecided,
  "post.deleted": ofDiscussion,
  "post.removed": ofDiscussion,
  "post.restored": isBack,
  "post.hidden": ofDiscussion,
  "post.shown": isBack,
  "comment.deleted": ofResource,
  "comment.removed": ofResource,
  "comment.restored": isBack,
  "comment.hidden": ofResource,
  "comment.shown": isBack,
  "resource.removed": ofResource,
  "resource.restored": (tx, { resourceId }) =>
    withdraw(tx, sql`n.object_id = ${resourceId}::uuid and n.kind = 'post_removed' and n.detail = 'resource'`),
  "resource.moved": ofResource,
  "resource.link-revived": (tx, { resourceId }) => clear(tx, sql`n.object_id = ${resourceId}::uuid and n.kind = 'dead_link'`),
  "resource.address-accepted": suggestionAnswered,
  "resource.address-declined": suggestionAnswered,
  "report.resolved": (tx, { reportId }) => clear(tx, sql`n.object_id = ${reportId}::uuid and n.kind = 'report'`),
  "announcement.taken-back": (tx, { announcementId }) => withdrawWhere(tx, sql`n.object_id = ${announcementId}::uuid`),
};
