import { maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId, createSecret } from "#platform/ids";
import { queueMail } from "#platform/mail";
import { emit } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { canSeePerson, blockedEitherWayIds, requireSignedIn, listRelationships } from "#community/friends";
import { groupRules, isStaff, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import type { InviteAddress, InviteLink, InvitePerson } from "../group-forms.ts";
import { getGroupToChange } from "../group.ts";
import { inviteToGroup } from "../memberships/join-requests.ts";
import { composeInvitationEmail } from "./invitation-email.ts";
import { applyMembership } from "../memberships/apply-membership.ts";
import { insertInvitation } from "./insert-invitation.ts";

/**
 * Invites a person by username.
 * @throws like `inviteToGroup`, `invalid` for an unknown `username`
 */
export async function inviteByName(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof InvitePerson>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const [relationship] = await listRelationships(tx, me, {
    usernames: [input.username.replace(/^@/, "").toLowerCase()],
  });
  if (!relationship || !canSeePerson(me, relationship))
    throw invalid("username", "No member has that username.");
  await inviteToGroup(tx, me, { groupId: input.groupId, personId: relationship.id });
}

/** Values for invitation emails. */
type InvitationMailContext = { community: string; linkTo: (token: string) => string };

/**
 * Invites an email address; only its owner can accept. If a block separates its owner and the viewer,
 * nothing is sent, and the viewer sees no difference.
 * @throws `not-found`, `not-allowed`, `too-many`, `invalid` on `entry`
 */
export async function inviteAddress(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof InviteAddress>,
  from: InvitationMailContext,
): Promise<void> {
  const { me, group } = await getGroupToInvite(tx, viewer, input);
  const token = createSecret();
  await insertInvitation(tx, me, {
    groupId: group.id,
    kind: "address",
    email: input.email,
    token,
    entry: input.entry,
  });
  const { name, locale, reachable } = await one(
    tx,
    sql<{ name: string; locale: string; reachable: boolean }>`
      select display_name as name, locale,
        not exists (select from people p
          where lower(p.email) = lower(${input.email})
            and p.id = any(${blockedEitherWayIds(me)})) as reachable
      from people where id = ${me.id}`,
  );
  const words = { name, group: group.name, community: from.community, link: from.linkTo(token) };
  if (reachable) await queueMail(tx, { to: input.email, letter: composeInvitationEmail(locale, words) });
  await emit(tx, { type: "group.invitation_created", groupId: group.id, by: me.id });
}

/**
 * Creates an invitation link for ten people at most (staff: 5,000). The link's token is returned only here.
 * @throws like `inviteAddress`
 */
export async function createInviteLink(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof InviteLink>,
): Promise<{ token: string }> {
  const { me, group } = await getGroupToInvite(tx, viewer, input);
  if (input.mostUses > LIMITS.invitation.uses && !isStaff(me))
    throw invalid("mostUses", "A link can be used by at most 10 people.");
  const token = createSecret();
  await insertInvitation(tx, me, {
    groupId: group.id,
    kind: "link",
    token,
    entry: input.entry,
    mostUses: input.mostUses,
  });
  await emit(tx, { type: "group.invitation_created", groupId: group.id, by: me.id });
  return { token };
}

async function getGroupToInvite(tx: Tx, viewer: Viewer, input: { groupId: string; entry: "join" | "ask" }) {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, input.groupId, "read");
  if (!groupRules.invite(me, group))
    throw new Refusal("not-allowed", "You cannot invite people to this group.");
  // Only members see a secret group: people could not see the group that they ask to join.
  if (input.entry === "ask" && group.visibility === "secret")
    throw invalid("entry", "Invitations to a secret group always let people join directly.");
  return { me, group };
}

type StoredInvitation = {
  id: string;
  kind: "person" | "address" | "link";
  groupId: string;
  madeBy: string;
  personId: string | null;
};

/**
 * Revokes an invitation: the viewer's own, or any as a moderator.
 * @throws `not-found`, `conflict` when it has ended
 */
export async function revokeInvitation(
  tx: Tx,
  viewer: Viewer,
  input: { invitationId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const invitation = isId(input.invitationId)
    ? await maybeOne(
        tx,
        sql<StoredInvitation>`select id, kind, group_id as "groupId", created_by as "madeBy",
          person_id as "personId" from group_invitations where id = ${input.invitationId}`,
      )
    : undefined;
  if (!invitation) throw notFound();
  const group = await getGroupToChange(tx, me, invitation.groupId);
  if (invitation.madeBy !== me.id && !groupRules.approveMembers(me, group)) throw notFound();
  const taken = await run(
    tx,
    sql`update group_invitations set revoked_at = ${tx.now}, revoked_by = ${me.id}
      where id = ${invitation.id} and revoked_at is null and uses < most_uses`,
  );
  if (taken === 0) throw new Refusal("conflict", "That invitation is no longer valid.");
  if (invitation.personId) await withdrawPersonalInvitation(tx, me, group.id, invitation.personId);
  const details = { kind: invitation.kind, ...(invitation.personId && { personId: invitation.personId }) };
  await writeAudit(tx, me, { act: "group.invitation_revoked", kind: "group", id: group.id, details });
  await emit(tx, { type: "group.invitation_revoked", groupId: group.id, by: me.id });
}

async function withdrawPersonalInvitation(
  tx: Tx,
  me: SignedIn,
  groupId: string,
  personId: string,
): Promise<void> {
  const waits = await maybeOne(
    tx,
    sql`select from memberships
      where group_id = ${groupId} and person_id = ${personId} and state = 'invited'`,
  );
  if (waits) await applyMembership(tx, { groupId, personId, state: "expired", invitedBy: me.id });
}
