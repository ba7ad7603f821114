import { type Db, many, maybeOne, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { msg } from "#platform/messages";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { personCard, type PersonCard } from "#community/common";
import { requireSignedIn, getRelationship } from "#community/friends";
import { friendRules, type GroupFacts, groupRules, type Viewer } from "#community/rules";
import type { RequestDecline } from "../group-forms.ts";
import { type GroupToChange, getGroupToChange } from "../group.ts";
import { applyMembership } from "./apply-membership.ts";
import { insertInvitation } from "../invitations/insert-invitation.ts";

export type JoinRequest = {
  person: PersonCard;
  answers: { question: string; answer: string }[];
  askedAt: Date;
  accountSince: Date;
  groupsInCommon: number;
};

/**
 * Pending join requests, those waiting longest first.
 * @throws `not-allowed` for viewers who may not approve
 */
export async function listJoinRequests(
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
): Promise<JoinRequest[]> {
  if (!groupRules.approveMembers(viewer, group))
    throw new Refusal("not-allowed", "Only moderators of the group can see join requests.");
  return many(
    db,
    sql<JoinRequest>`
      select ${personCard("p")} as person, r.answers, r.changed_at as "askedAt",
        p.created_at as "accountSince",
        (select count(*)::int from memberships mine join memberships theirs using (group_id)
         where mine.person_id = ${viewer.id}::uuid and mine.state = 'member' and theirs.person_id = p.id
           and theirs.state = 'member') as "groupsInCommon"
      from memberships r join people p on p.id = r.person_id
      where r.group_id = ${group.id} and r.state = 'requested'
      order by r.changed_at, p.id
      limit 200`,
  );
}

/**
 * Approves a join request.
 * @throws `not-allowed`, also for an archived group, `not-found` without a request by that person, `conflict`
 * when it was decided or withdrawn meanwhile
 */
export async function approveJoinRequest(
  tx: Tx,
  viewer: Viewer,
  input: { groupId: string; personId: string },
): Promise<void> {
  const { me, group } = await lockJoinRequest(tx, viewer, input);
  if (!groupRules.approveRequests(me, group))
    throw new Refusal("not-allowed", "This group takes no new members at the moment.");
  await applyMembership(tx, { groupId: group.id, personId: input.personId, state: "member", by: me.id });
  await writeAudit(tx, me, {
    act: "group.join_approved",
    kind: "group",
    id: group.id,
    details: { personId: input.personId },
  });
  await emit(tx, { type: "group.join_approved", groupId: group.id, personId: input.personId, by: me.id });
}

/**
 * Declines a join request. The reason is sent to the person and written to the log.
 * @throws like `approveJoinRequest`, but works in an archived group
 */
export async function declineJoinRequest(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof RequestDecline>,
): Promise<void> {
  const { me, group } = await lockJoinRequest(tx, viewer, input);
  await applyMembership(tx, {
    groupId: group.id,
    personId: input.personId,
    state: "declined",
    reason: input.reason,
    by: me.id,
  });
  await writeAudit(tx, me, {
    act: "group.join_declined",
    kind: "group",
    id: group.id,
    reason: input.reason || null,
    details: { personId: input.personId },
  });
  await emit(tx, { type: "group.join_declined", groupId: group.id, personId: input.personId, by: me.id });
}

async function lockJoinRequest(tx: Tx, viewer: Viewer, input: { groupId: string; personId: string }) {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, input.groupId);
  if (!groupRules.approveMembers(me, group))
    throw new Refusal("not-allowed", "Only moderators of the group can approve members.");
  const standing = await findPersonState(tx, group, input.personId);
  if (standing === null) throw notFound();
  if (standing !== "requested")
    throw new Refusal("conflict", "This request has already been answered or withdrawn.");
  return { me, group };
}

/**
 * Invites a person. If the person has a pending request and the viewer may approve it, the request is
 * approved instead.
 * @throws `not-found` for invisible people, `not-allowed`, `conflict` for a member, `too-many` after ten a
 * day
 */
export async function inviteToGroup(
  tx: Tx,
  viewer: Viewer,
  input: { groupId: string; personId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, input.groupId);
  if (!groupRules.invite(me, group))
    throw new Refusal("not-allowed", "Only members can invite people to this group.");
  const relationship = await getRelationship(tx, me, input.personId);
  const standing = await findPersonState(tx, group, relationship.id);
  if (standing === "member")
    throw new Refusal("conflict", msg("{name} is a member already.", { name: relationship.name }));
  if (standing === "requested")
    return groupRules.approveRequests(me, group) ? approveJoinRequest(tx, me, input) : undefined;
  if (standing === "invited") return;
  if (standing === "banned" || !friendRules.inviteToGroup(me, relationship))
    throw new Refusal("not-allowed", "This person cannot be invited.");
  await insertInvitation(tx, me, {
    groupId: group.id,
    kind: "person",
    personId: relationship.id,
    entry: "join",
  });
  await applyMembership(tx, {
    groupId: group.id,
    personId: relationship.id,
    state: "invited",
    invitedBy: me.id,
  });
  await emit(tx, { type: "group.invited", groupId: group.id, personId: relationship.id, by: me.id });
}

async function findPersonState(tx: Tx, group: GroupToChange, personId: string) {
  if (!isId(personId)) return null;
  const row = await maybeOne(
    tx,
    sql<{
      state: GroupFacts["viewerState"];
    }>`select state from memberships where group_id = ${group.id} and person_id = ${personId}`,
  );
  return row?.state ?? null;
}
