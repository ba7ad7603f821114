import { type Db, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { msg } from "#platform/messages";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { establishInvitee } from "#community/accounts";
import { groupRules, type SignedIn, type Viewer, isSignedIn } from "#community/rules";
import { matchAnswersToQuestions } from "./join-answers.ts";
import { withdrawPendingGroup } from "../lifecycle/archive-and-delete.ts";
import type { JoinAnswers } from "../group-forms.ts";
import { type GroupToChange, getGroupToChange, lockGroup, type NotifyLevel } from "../group.ts";
import { hasOtherOwner, canOwnGroups, hasPossibleOwner } from "../ownership/owner-candidates.ts";
import { lockJoinRequests, assertJoinRequestLimit, deleteEarlierWithdrawals } from "./join-request-limit.ts";
import { forceArchiveGroup } from "../lifecycle/force-archive.ts";
import { applyMembership } from "./apply-membership.ts";

/**
 * Joins an open group, or accepts an invitation.
 * @throws `not-found`, `conflict` for a member, `not-allowed` where a request is needed
 */
export async function joinGroup(tx: Tx, viewer: Viewer, input: { groupId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, input.groupId);
  if (!groupRules.join(me, group)) throw cannotJoinRefusal(group, tx.now);
  if (group.viewerState === "invited") await applyVouching(tx, me, group.id);
  await applyMembership(tx, { groupId: group.id, personId: me.id, state: "member" });
  await emit(tx, { type: "group.joined", groupId: group.id, by: me.id });
}

async function applyVouching(tx: Tx, me: SignedIn, groupId: string): Promise<void> {
  const membership = await maybeOne(
    tx,
    sql<{
      by: string | null;
    }>`select invited_by as by from memberships where group_id = ${groupId} and person_id = ${me.id}`,
  );
  if (membership?.by) await establishInvitee(tx, me.id, membership.by);
}

/**
 * Requests to join.
 * @throws `not-found`, `not-allowed`, `too-many` after three requests a day, `invalid` for a missing answer,
 * `conflict`, also for changed questions
 */
export async function requestToJoin(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof JoinAnswers>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  await lockJoinRequests(tx, me);
  const group = await getGroupToChange(tx, me, input.groupId);
  if (!groupRules.ask(me, group, tx.now)) throw cannotJoinRefusal(group, tx.now);
  await assertJoinRequestLimit(tx, me, group.id);
  const answers = matchAnswersToQuestions(group.questions, input);
  await applyMembership(tx, { groupId: group.id, personId: me.id, state: "requested", answers });
  await emit(tx, { type: "group.requested", groupId: group.id, by: me.id });
}

const REQUEST_ONLY = { text: "You cannot join this group directly. Send a request to join." };
const INVITE_ONLY = { text: "This group is invite only." };
export const recentlyDeclinedRefusal = () =>
  new Refusal("not-allowed", "Your request was rejected. You can ask again after 30 days.");

function cannotJoinRefusal(group: GroupToChange, now: Date): Refusal {
  if (group.viewerState === "member") return new Refusal("conflict", "You are already a member.");
  if (group.viewerState === "requested")
    return new Refusal("conflict", "You have already sent a request. A moderator will answer.");
  if (group.state !== "active")
    return new Refusal("not-allowed", "This group is archived: it can be read, but not joined.");
  if (group.viewerState === "banned") return new Refusal("not-allowed", "You cannot join this group.");
  if (group.viewerState === "invited")
    return new Refusal("conflict", "You are invited: accept the invitation instead.");
  if (group.joinPolicy === "open")
    return new Refusal("conflict", "This group is open: you can join it directly.");
  if (group.askAgainAt && group.askAgainAt > now && group.joinPolicy === "request")
    return recentlyDeclinedRefusal();
  return new Refusal("not-allowed", group.joinPolicy === "request" ? REQUEST_ONLY.text : INVITE_ONLY.text);
}

/**
 * Withdraws the viewer's request, even from a group that has become secret.
 * @throws `not-found` without a request
 */
export async function withdrawRequest(
  tx: Tx,
  viewer: Viewer,
  { groupId }: { groupId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  if (!isId(groupId)) throw notFound();
  await lockGroup(tx, groupId);
  const asks = await maybeOne(
    tx,
    sql`select from memberships where group_id = ${groupId} and person_id = ${me.id} and state = 'requested'`,
  );
  if (!asks) throw notFound();
  await applyMembership(tx, { groupId, personId: me.id, state: "withdrawn" });
  await deleteEarlierWithdrawals(tx, me, groupId);
  await emit(tx, { type: "group.request_withdrawn", groupId, by: me.id });
}

/**
 * Declines an invitation.
 * @throws `not-found` without an invitation
 */
export async function declineOwnInvitation(
  tx: Tx,
  viewer: Viewer,
  input: { groupId: string },
): Promise<void> {
  const { me, group } = await lockMembership(tx, viewer, input.groupId, "invited");
  await applyMembership(tx, { groupId: group.id, personId: me.id, state: "refused" });
  await emit(tx, { type: "group.invitation_declined", groupId: group.id, by: me.id });
}

async function lockMembership(tx: Tx, viewer: Viewer, groupId: string, state: GroupToChange["viewerState"]) {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, groupId);
  if (group.viewerState !== state) throw notFound();
  return { me, group };
}

/**
 * Leaves a group. The viewer's content stays, or with `content: "remove"` is deleted a day later unless they
 * have rejoined. The last owner must name a successor (`conflict`). Without other members, the group is
 * archived, or deleted if pending.
 */
export async function leaveGroup(tx: Tx, viewer: Viewer, input: LeaveInput): Promise<void> {
  const { me, group } = await lockMembership(tx, viewer, input.groupId, "member");
  if (group.state === "pending" && group.membersCount === 1) return withdrawPendingGroup(tx, me, group.id);
  if (group.viewerRole === "owner") await transferBeforeLeaving(tx, me, group, input.successorId);
  await applyMembership(tx, {
    groupId: group.id,
    personId: me.id,
    state: "left",
    takesAlong: input.content === "remove",
  });
  await emit(tx, { type: "group.left", groupId: group.id, by: me.id });
}

type LeaveInput = {
  groupId: string;
  successorId?: string | undefined;
  content?: "keep" | "remove" | undefined;
};

async function transferBeforeLeaving(
  tx: Tx,
  me: SignedIn,
  group: GroupToChange,
  successorId: string | undefined,
) {
  if (successorId) return appointSuccessor(tx, me, group, successorId);
  const { owned, ownable } = await one(
    tx,
    sql<{ owned: boolean; ownable: boolean }>`
      select ${hasOtherOwner(me.id, "g")} as owned, ${hasPossibleOwner(me.id, "g")} as ownable from groups g
      where g.id = ${group.id}`,
  );
  if (owned) return;
  if (ownable) throw new Refusal("conflict", "You are the only owner. Choose a successor before you leave.");
  if (group.state === "active") await forceArchiveGroup(tx, me, { groupId: group.id });
}

async function appointSuccessor(tx: Tx, me: SignedIn, group: GroupToChange, successorId: string) {
  const successor =
    isId(successorId) && successorId !== me.id
      ? await run(
          tx,
          sql`update memberships m set role = 'owner', changed_at = ${tx.now} from people p
              where m.group_id = ${group.id} and m.person_id = ${successorId} and m.state = 'member'
                and p.id = m.person_id and ${canOwnGroups("p")}`,
        )
      : 0;
  if (successor === 0) throw invalid("successorId", "The successor must be an active member of the group.");
  await writeAudit(tx, me, {
    act: "group.role_changed",
    kind: "group",
    id: group.id,
    details: { personId: successorId, role: "owner" },
  });
  await emit(tx, { type: "group.role_changed", groupId: group.id, personId: successorId, by: me.id });
}

/**
 * Sets the viewer's notification level.
 * @throws `not-found` for non-members
 */
export async function setNotifyLevel(
  tx: Tx,
  viewer: Viewer,
  input: { groupId: string; level: NotifyLevel },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const changed =
    isId(input.groupId) &&
    (await run(
      tx,
      sql`update memberships set notify_level = ${input.level}
        where group_id = ${input.groupId} and person_id = ${me.id} and state = 'member'`,
    ));
  if (!changed) throw notFound();
}

/**
 * Notification level of the viewer.
 * @throws `not-found` for non-members
 */
export async function getNotifyLevel(db: Db, viewer: Viewer, groupId: string): Promise<NotifyLevel> {
  const own =
    isId(groupId) &&
    (await maybeOne(
      db,
      sql<{ level: NotifyLevel }>`select notify_level as level from memberships
        where group_id = ${groupId} and person_id = ${requireSignedIn(viewer).id} and state = 'member'`,
    ));
  if (!own) throw notFound();
  return own.level;
}

/**
 * Groups with other members whose only owner is the viewer. The viewer must name a successor for them before
 * leaving.
 */
export const listGroupsWithoutSuccessor = async (
  db: Db,
  viewer: Viewer,
): Promise<{ slug: string; name: string }[]> =>
  isSignedIn(viewer) ? findGroupsWithoutSuccessor(db, viewer.id) : [];

const findGroupsWithoutSuccessor = (db: Db, personId: string) =>
  many(
    db,
    sql<{ slug: string; name: string }>`
      select g.slug, g.name from memberships m join groups g on g.id = m.group_id
      where m.person_id = ${personId} and m.state = 'member' and m.role = 'owner' and g.state <> 'deleted'
        and not ${hasOtherOwner(personId, "g")} and ${hasPossibleOwner(personId, "g")}
      order by lower(g.name), g.id`,
  );

/**
 * Asserts, before a deactivation, that the person is not the only owner of a group with other members. Locks
 * those groups, so that the last two owners cannot leave concurrently.
 * @throws `conflict`
 */
export async function assertSuccessors(tx: Tx, personId: string): Promise<void> {
  await run(
    tx,
    sql`select from groups g where g.id in (select group_id from memberships
      where person_id = ${personId} and state = 'member' and role = 'owner')
        order by g.id for no key update`,
  );
  const orphans = await findGroupsWithoutSuccessor(tx, personId);
  if (orphans.length > 0)
    throw new Refusal(
      "conflict",
      msg("You are the only owner of {groups}. Choose successors first.", {
        groups: orphans.map(({ name }) => `“${name}”`).join(", "),
      }),
    );
}
