import { HOUR, addMilliseconds } from "#platform/clock";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { type PersonCard, personCard } from "#community/common";
import { requireSignedIn } from "#community/friends";
import { establishInvitee } from "#community/accounts";
import { type GroupFacts, isSignedIn, type SignedIn, type Viewer } from "#community/rules";
import { type AnsweredQuestions, matchAnswersToQuestions } from "../memberships/join-answers.ts";
import { recentlyDeclinedRefusal, joinGroup } from "../memberships/join-and-leave.ts";
import { type Invitation, invitationState } from "./invitations.ts";
import { lockJoinRequests, assertJoinRequestLimit } from "../memberships/join-request-limit.ts";
import { applyMembership } from "../memberships/apply-membership.ts";
import { canRequestAgainAt, groupFactsColumns, viewerMembership } from "../group-columns.ts";

/**
 * An invitation as shown to its visitor. The group is shown only while the invitation is valid and addressed
 * to them.
 */
export type InvitationView =
  | { state: "used" | "expired" | "revoked" | "other-address" | "closed" }
  | {
      state: "open";
      entry: Invitation["entry"];
      by: PersonCard;
      group: InvitedGroup;
      /** The email address that was invited, if any. */
      email: string | null;
      /** Whether the invitation allows registration where registration is by invitation only. */
      registers: boolean;
    };
type InvitedGroup = GroupFacts & {
  id: string;
  slug: string;
  name: string;
  purpose: string;
  membersCount: number;
  headerStyle: string;
  headerId: string | null;
  questions: string[];
};

export type InvitationRow = InvitedGroup & {
  invitationId: string;
  kind: "person" | "address" | "link";
  left: Invitation["state"];
  entry: Invitation["entry"];
  by: PersonCard;
  email: string | null;
  registers: boolean;
  /** A block separates the inviter and the viewer. */
  blockedEitherWay: boolean;
  /**
   * Whether the invitation may be meant for this viewer: the viewer is a guest, or the invitation has no
   * address or the viewer's.
   */
  forViewer: boolean;
  askAgainAt: Date | null;
};

export const invitationQuery = (viewer: Viewer, token: string, now: Date) => sql<InvitationRow>`
  select i.id as "invitationId", i.kind, ${invitationState(now, "i")} as left, i.entry,
    ${personCard("maker")} as by, i.email,
    i.kind = 'address' or (i.entry = 'join'
      and i.uses + ${pendingRegistrationsCount(now)} < i.most_uses) as registers,
    exists (select from blocks b where (b.blocker_id = i.created_by and b.blocked_id = ${viewer.id}::uuid)
      or (b.blocker_id = ${viewer.id}::uuid and b.blocked_id = i.created_by)) as "blockedEitherWay",
    i.email is null or ${viewer.id}::uuid is null
      or exists (select from people me
        where me.id = ${viewer.id}::uuid and lower(me.email) = lower(i.email)) as "forViewer",
    g.id, g.slug, g.name, g.purpose, g.members_count as "membersCount", g.header_style as "headerStyle",
    g.header_id as "headerId", g.questions, ${groupFactsColumns("g", "m")},
    ${canRequestAgainAt("m")} as "askAgainAt"
  from group_invitations i
  join groups g on g.id = i.group_id ${viewerMembership(viewer, "g", "m")}
  join people maker on maker.id = i.created_by
  where i.token_hash = ${hashSecret(token)}`;

const UNCONFIRMED_LIFETIME = 48 * HOUR;

/**
 * Number of people who registered by the invitation `i` and have not joined yet: they have an account, or a
 * confirmation link that is still valid.
 */
const pendingRegistrationsCount = (now: Date) => sql`
  (select count(*) from invited_registrations r where r.invitation_id = i.id
    and not exists (select from memberships m
      where m.group_id = i.group_id and m.person_id = r.person_id and m.state = 'member')
    and (r.at > ${addMilliseconds(now, -UNCONFIRMED_LIFETIME)}
      or exists (select from people p where p.id = r.person_id and p.state not in ('unverified', 'guest'))))`;

const unknownInvitation = () =>
  new Refusal(
    "not-found",
    "This invitation does not exist. The link may be incomplete: copy it again, or ask the sender for a new one.",
  );

/**
 * Loads an invitation without using it.
 * @throws `not-found` for an unknown token
 */
export async function getInvitation(
  db: Db,
  viewer: Viewer,
  token: string,
  now: Date,
): Promise<InvitationView> {
  const row = await maybeOne(db, invitationQuery(viewer, token, now));
  if (!row) throw unknownInvitation();
  const over = findInvitationFault(row);
  if (over) return { state: over };
  const {
    invitationId: _,
    kind: _kind,
    left: __,
    blockedEitherWay: ___,
    forViewer: ____,
    askAgainAt: _____,
    entry,
    by,
    email,
    registers,
    ...group
  } = row;
  return { state: "open", entry, by, email, registers, group };
}

/**
 * Reason why an invitation cannot be used, or null. For a member it is always usable, so that the link leads
 * to the group.
 */
export function findInvitationFault(row: InvitationRow): Exclude<InvitationView["state"], "open"> | null {
  if (row.state === "deleted") return "closed";
  if (row.viewerState === "member") return null;
  if (row.left === "declined") return "revoked";
  if (row.left !== "open") return row.left;
  if (row.blockedEitherWay) return "revoked";
  if (!row.forViewer) return "other-address";
  return row.state !== "active" || row.viewerState === "banned" ? "closed" : null;
}

/**
 * Accepts an invitation: the viewer joins, or requests to join with answers. For a member nothing changes.
 * @throws `not-signed-in`, `not-found`, `gone` for an invitation that has ended, `not-allowed` for other
 * addresses and within thirty days of a decline, `invalid` on answers, `conflict` for changed questions,
 * `too-many` like `requestToJoin`
 */
export async function acceptInvitation(
  tx: Tx,
  viewer: Viewer,
  input: AnsweredQuestions & { token: string },
): Promise<{ slug: string }> {
  const me = requireSignedIn(viewer);
  await lockJoinRequests(tx, me);
  await lockInvitation(tx, input.token);
  const row = await maybeOne(tx, invitationQuery(me, input.token, tx.now));
  if (!row) throw unknownInvitation();
  if (row.viewerState === "member" && row.state !== "deleted") return { slug: row.slug };
  const over = findInvitationFault(row);
  if (over) throw invitationRefusal(over);
  // A repeated request does not use up a second place.
  if (row.entry === "ask" && row.viewerState === "requested") return { slug: row.slug };
  // A person who is also invited by name joins without a request and uses up no place of the link.
  if (row.entry === "ask" && row.viewerState === "invited") {
    await joinGroup(tx, me, { groupId: row.id });
    return { slug: row.slug };
  }
  if (row.entry === "join") await joinByInvitation(tx, me, row);
  else await requestByInvitation(tx, me, row, input);
  await run(tx, sql`update group_invitations set uses = uses + 1 where id = ${row.invitationId}`);
  return { slug: row.slug };
}

/** Locks the group first, as everywhere, then the invitation, before its state is read. */
export const lockInvitation = (tx: Tx, token: string) =>
  Promise.all([
    run(
      tx,
      sql`select from groups where id = (select group_id from group_invitations
      where token_hash = ${hashSecret(token)}) for no key update`,
    ),
    run(tx, sql`select from group_invitations where token_hash = ${hashSecret(token)} for no key update`),
  ]);

async function joinByInvitation(tx: Tx, me: SignedIn, row: InvitationRow): Promise<void> {
  await applyMembership(tx, { groupId: row.id, personId: me.id, state: "member", invitedBy: row.by.id });
  await emit(tx, { type: "group.joined", groupId: row.id, by: me.id });
  // A link can be opened by anyone, so using it does not make the person established.
  if (row.kind !== "link") await establishInvitee(tx, me.id, row.by.id);
}

async function requestByInvitation(
  tx: Tx,
  me: SignedIn,
  row: InvitationRow,
  answeredQuestions: AnsweredQuestions,
): Promise<void> {
  if (row.askAgainAt && row.askAgainAt > tx.now) throw recentlyDeclinedRefusal();
  await assertJoinRequestLimit(tx, me, row.id);
  await applyMembership(tx, {
    groupId: row.id,
    personId: me.id,
    state: "requested",
    answers: matchAnswersToQuestions(row.questions, answeredQuestions),
    invitedBy: row.by.id,
  });
  await emit(tx, { type: "group.requested", groupId: row.id, by: me.id });
}

export function invitationRefusal(over: Exclude<InvitationView["state"], "open">): Refusal {
  if (over === "other-address")
    return new Refusal("not-allowed", "This invitation was sent to another email address.");
  if (over === "closed") return new Refusal("not-allowed", "You cannot join this group.");
  return new Refusal("gone", "This invitation has expired. Ask the sender for a new one.");
}

/** Declines an invitation by email. An invitation link stays valid, since other people may use it. */
export async function declineInvitation(tx: Tx, viewer: Viewer, input: { token: string }): Promise<void> {
  const row = await maybeOne(
    tx,
    sql<InvitationRow>`${invitationQuery(viewer, input.token, tx.now)} for no key update of i`,
  );
  if (!row) throw unknownInvitation();
  if (findInvitationFault(row) || !isSignedIn(viewer)) return;
  await run(
    tx,
    sql`update group_invitations
      set revoked_at = ${tx.now}, revoked_by = ${viewer.id}, declined_at = ${tx.now}
      where id = ${row.invitationId} and kind = 'address'`,
  );
}
