import { DAY, addMilliseconds } from "#platform/clock";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { type GroupFacts, type GroupRole, groupRules, type SignedIn, type Viewer } from "#community/rules";
import { scheduleDueChecks } from "../lifecycle/expiry-jobs.ts";
import type { GroupBan, GroupPersonInput, MemberRemoval, RoleChange } from "../group-forms.ts";
import { type GroupToChange, getGroupToChange } from "../group.ts";
import { revokeInvitationsBy } from "../invitations/revoke-invitations.ts";
import { canOwnGroups } from "../ownership/owner-candidates.ts";
import { applyMembership } from "../memberships/apply-membership.ts";

type GroupPerson = { id: string; state: GroupFacts["viewerState"]; role: GroupRole | null };

/**
 * The person and their membership.
 * @throws `not-found` for people who never had a membership, request or invitation in the group
 */
async function getGroupPerson(tx: Tx, group: GroupToChange, personId: string): Promise<GroupPerson> {
  const other = isId(personId)
    ? await maybeOne(
        tx,
        sql<GroupPerson>`select person_id as id, state, case when state = 'member' then role end as role
                   from memberships where group_id = ${group.id} and person_id = ${personId}`,
      )
    : undefined;
  if (!other) throw notFound();
  return other;
}

/** Asserts that the person is still a member, as when the page was rendered. */
function assertIsMember({ role }: GroupPerson): void {
  if (role === null) throw new Refusal("conflict", "This person is no longer in the group.");
}

/**
 * Changes a member's role.
 * @throws `not-found`, `not-allowed` for all but (other) owners, `conflict` for a person who has left
 */
export async function setGroupRole(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof RoleChange>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, input.groupId);
  const other = await getGroupPerson(tx, group, input.personId);
  if (other.id === me.id)
    throw new Refusal(
      "not-allowed",
      "You cannot change your own role. Ask another owner, or transfer the group.",
    );
  if (!groupRules.setRole(me, group, other))
    throw new Refusal("not-allowed", "Only owners can change roles.");
  assertIsMember(other);
  if (other.role === input.role) return;
  await storeGroupRole(tx, me, group, other.id, input.role);
}

/**
 * Makes a person an owner and the viewer a moderator.
 * @throws like `setGroupRole`, `conflict` for an account that is not in use
 */
export async function transferOwnership(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof GroupPersonInput>,
): Promise<void> {
  await setGroupRole(tx, viewer, { ...input, role: "owner" });
  const isHere = await maybeOne(
    tx,
    sql`select from people p where p.id = ${input.personId} and ${canOwnGroups("p")}`,
  );
  if (!isHere) throw new Refusal("conflict", "The successor must be an active member of the group.");
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, input.groupId);
  await storeGroupRole(tx, me, group, me.id, "moderator");
}

async function storeGroupRole(tx: Tx, me: SignedIn, group: GroupToChange, personId: string, role: GroupRole) {
  await run(
    tx,
    sql`update memberships set role = ${role}, changed_at = ${tx.now}
      where group_id = ${group.id} and person_id = ${personId} and state = 'member'`,
  );
  await writeAudit(tx, me, {
    act: "group.role_changed",
    kind: "group",
    id: group.id,
    details: { personId, role },
  });
  await emit(tx, { type: "group.role_changed", groupId: group.id, personId, by: me.id });
}

/**
 * Removes a member, who may rejoin like anyone else.
 * @throws `not-found`, `not-allowed`, `conflict` for a person who has left
 */
export async function removeMember(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof MemberRemoval>,
): Promise<void> {
  const { me, group, other } = await getRemovablePerson(tx, viewer, input);
  assertIsMember(other);
  await applyMembership(tx, {
    groupId: group.id,
    personId: other.id,
    state: "removed",
    reason: input.reason,
  });
  await revokeInvitationsBy(tx, me, { groupId: group.id, personId: other.id });
  await writeAudit(tx, me, {
    act: "group.removed",
    kind: "group",
    id: group.id,
    reason: input.reason,
    details: { personId: other.id },
  });
  await emit(tx, { type: "group.removed", groupId: group.id, personId: other.id, by: me.id });
}

/**
 * Bans a person, for some days or until the ban is lifted.
 * @throws `not-found`, `not-allowed`, `conflict` for a banned person
 */
export async function banFromGroup(tx: Tx, viewer: Viewer, input: z.output<typeof GroupBan>): Promise<void> {
  const { me, group, other } = await getRemovablePerson(tx, viewer, input);
  // A second ban would delete the appeal against the current one.
  if (other.state === "banned")
    throw new Refusal("conflict", "This person is already banned. Lift the ban first to change it.");
  const bannedUntil = input.days === undefined ? null : addMilliseconds(tx.now, input.days * DAY);
  await applyMembership(tx, {
    groupId: group.id,
    personId: other.id,
    state: "banned",
    reason: input.reason,
    bannedUntil,
    by: me.id,
  });
  if (bannedUntil) await scheduleDueChecks(tx, bannedUntil);
  await revokeInvitationsBy(tx, me, { groupId: group.id, personId: other.id });
  await writeAudit(tx, me, {
    act: "group.banned",
    kind: "group",
    id: group.id,
    reason: input.reason,
    details: { personId: other.id, until: bannedUntil?.toISOString() ?? null },
  });
  // Whether the person could see the group until now. If not, the notification does not name the group.
  const knew = groupRules.see(me, { ...group, viewerState: other.state });
  await emit(tx, { type: "group.banned", groupId: group.id, personId: other.id, by: me.id, knew });
}

/**
 * Lifts a ban; the person counts as removed.
 * @throws `not-found`, `not-allowed`, `conflict` when it has ended meanwhile
 */
export async function liftGroupBan(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof GroupPersonInput>,
): Promise<void> {
  const { me, group, other } = await getRemovablePerson(tx, viewer, input);
  if (other.state !== "banned") throw new Refusal("conflict", "This ban has already ended.");
  await applyMembership(tx, { groupId: group.id, personId: other.id, state: "removed" });
  await writeAudit(tx, me, {
    act: "group.ban_lifted",
    kind: "group",
    id: group.id,
    details: { personId: other.id },
  });
  await emit(tx, { type: "group.ban_ended", groupId: group.id, personId: other.id, by: me.id });
}

/**
 * Viewer, group and person for a command that removes the person.
 * @throws `not-found`, `not-allowed` for viewers who may not remove them
 */
export async function getRemovablePerson(tx: Tx, viewer: Viewer, input: z.output<typeof GroupPersonInput>) {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, input.groupId);
  if (!groupRules.remove(me, group, { id: "", role: null }))
    throw new Refusal("not-allowed", "Only moderators of the group can remove or ban members.");
  const other = await getGroupPerson(tx, group, input.personId);
  if (other.id === me.id)
    throw new Refusal("not-allowed", "You cannot remove yourself. Leave the group instead.");
  if (!groupRules.remove(me, group, other))
    throw new Refusal("not-allowed", "Only owners can remove an owner.");
  return { me, group, other };
}
