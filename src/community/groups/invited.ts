import { HOUR, later } from "#platform/clock";
import { type Db, maybeOne, run, sql, together, type Tx } from "#platform/database";
import { hashOf } from "#platform/ids";
import { announce } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { PersonCard } from "#community/common";
import { personCard } from "#community/common";
import { signedIn } from "#community/friends";
import { vouchFor } from "#community/people";
import { type GroupFacts, isSignedIn, type SignedIn, type Viewer } from "#community/rules";
import { type Answered, answersTo } from "./answers.ts";
import { declinedLately, joinGroup } from "./joining.ts";
import { type Invitation, stateOf } from "./invitations.ts";
import { askAlone, assertMayAskNow } from "./pace.ts";
import { settle } from "./settle.ts";
import { askAgainAt, groupFactsColumns, viewersTie } from "./sight.ts";

/** What somebody finds who follows an invitation. Of the group nothing is said unless it still holds, and is for them. */
export type InvitationFound =
  | { state: "used" | "expired" | "revoked" | "other-address" | "closed" }
  | {
      state: "open";
      entry: Invitation["entry"];
      by: PersonCard;
      group: InvitedTo;
      /** The address that it went to, and whether who follows it may register where only invited people do. */
      email: string | null;
      registers: boolean;
    };
type InvitedTo = GroupFacts & {
  id: string;
  slug: string;
  name: string;
  purpose: string;
  membersCount: number;
  headerStyle: string;
  headerId: string | null;
  questions: string[];
};

export type InvitationRow = InvitedTo & {
  invitationId: string;
  kind: "person" | "address" | "link";
  left: Invitation["state"];
  entry: Invitation["entry"];
  by: PersonCard;
  email: string | null;
  registers: boolean;
  /** Whoever made it is parted from the viewer by a block. */
  parted: boolean;
  /** It is for anybody, or for a guest who has yet to say who they are, or for the viewer's own address. */
  forViewer: boolean;
  askAgainAt: Date | null;
};

export const invitationRow = (viewer: Viewer, token: string, now: Date) => sql<InvitationRow>`
  select i.id as "invitationId", i.kind, ${stateOf(now)} as left, i.entry, ${personCard("maker")} as by, i.email,
    i.kind = 'address' or (i.entry = 'join' and i.uses + ${onTheWay(now)} < i.most_uses) as registers,
    exists (select from blocks b where (b.blocker_id = i.made_by and b.blocked_id = ${viewer.id}::uuid) or (b.blocker_id = ${viewer.id}::uuid and b.blocked_id = i.made_by)) as parted,
    i.email is null or ${viewer.id}::uuid is null or exists (select from people me where me.id = ${viewer.id}::uuid and lower(me.email) = lower(i.email)) as "forViewer",
    g.id, g.slug, g.name, g.purpose, g.members_count as "membersCount", g.header_style as "headerStyle", g.header_id as "headerId", g.questions, ${groupFactsColumns},
    ${askAgainAt} as "askAgainAt"
  from group_invitations i
  join groups g on g.id = i.group_id ${viewersTie(viewer)}
  join people maker on maker.id = i.made_by
  where i.token_hash = ${hashOf(token)}`;

const UNCONFIRMED = 48 * HOUR;

/** How many have registered by the invitation `i` and not come in yet: with an account, or with a mail that may still be answered. */
const onTheWay = (now: Date) => sql`
  (select count(*) from invited_registrations r where r.invitation_id = i.id
    and not exists (select from memberships m where m.group_id = i.group_id and m.person_id = r.person_id and m.state = 'member')
    and (r.at > ${later(now, -UNCONFIRMED)} or exists (select from people p where p.id = r.person_id and p.state not in ('unverified', 'guest'))))`;

/** Looks at an invitation without using it. `not-found` for a token that never was one. */
export async function invitationFor(db: Db, viewer: Viewer, token: string, now: Date): Promise<InvitationFound> {
  const row = await maybeOne(db, invitationRow(viewer, token, now));
  if (!row) throw notFound();
  const over = whyNot(row);
  if (over) return { state: over };
  const {
    invitationId: _,
    kind: _kind,
    left: __,
    parted: ___,
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

/** Who is in the group already finds it, whatever has become of the invitation. */
export function whyNot(row: InvitationRow): Exclude<InvitationFound["state"], "open"> | null {
  if (row.state === "deleted") return "closed";
  if (row.viewerState === "member") return null;
  if (row.left === "declined") return "revoked";
  if (row.left !== "open") return row.left;
  if (row.parted) return "revoked";
  if (!row.forViewer) return "other-address";
  return row.state !== "active" || row.viewerState === "banned" ? "closed" : null;
}

/**
 * Accepts an invitation: joins, or asks to be let in with answers, as it says. Whoever is a member already just goes
 * in. Throws `not-signed-in`, `not-found`, `gone` for what is over, `not-allowed` for whom it is not and for who asks within thirty days of a no, `invalid` on answers, `conflict` where others are asked by now,
 * `too-many` like `askToJoin`.
 */
export async function acceptInvitation(tx: Tx, viewer: Viewer, input: Answered & { token: string }): Promise<{ slug: string }> {
  const me = signedIn(viewer);
  await askAlone(tx, me);
  await lockInvitation(tx, input.token);
  const row = await maybeOne(tx, invitationRow(me, input.token, tx.now));
  if (!row) throw notFound();
  if (row.viewerState === "member" && row.state !== "deleted") return { slug: row.slug };
  const over = whyNot(row);
  if (over) throw refusalOf(over);
  // Whoever waits for an answer has used it once: the same sent again takes nobody's place.
  if (row.entry === "ask" && row.viewerState === "requested") return { slug: row.slug };
  // Who is asked in by name has nothing more to ask, and takes nobody's place who comes by this.
  if (row.entry === "ask" && row.viewerState === "invited") {
    await joinGroup(tx, me, { groupId: row.id });
    return { slug: row.slug };
  }
  if (row.entry === "join") await enter(tx, me, row);
  else await ask(tx, me, row, input);
  await run(tx, sql`update group_invitations set uses = uses + 1 where id = ${row.invitationId}`);
  return { slug: row.slug };
}

/** The group first, as everywhere; and both before it is asked what has become of the invitation meanwhile. */
export const lockInvitation = (tx: Tx, token: string) =>
  together(
    tx,
    sql`select from groups where id = (select group_id from group_invitations where token_hash = ${hashOf(token)}) for no key update`,
    sql`select from group_invitations where token_hash = ${hashOf(token)} for no key update`,
  );

async function enter(tx: Tx, me: SignedIn, row: InvitationRow): Promise<void> {
  await settle(tx, { groupId: row.id, personId: me.id, state: "member", invitedBy: row.by.id });
  await announce(tx, { type: "group.joined", groupId: row.id, by: me.id });
  // Who hands out a link does not know who comes by it.
  if (row.kind !== "link") await vouchFor(tx, me.id, row.by.id);
}

async function ask(tx: Tx, me: SignedIn, row: InvitationRow, given: Answered): Promise<void> {
  if (row.askAgainAt && row.askAgainAt > tx.now) throw declinedLately();
  await assertMayAskNow(tx, me, row.id);
  await settle(tx, {
    groupId: row.id,
    personId: me.id,
    state: "requested",
    answers: answersTo(row.questions, given),
    invitedBy: row.by.id,
  });
  await announce(tx, { type: "group.requested", groupId: row.id, by: me.id });
}

export function refusalOf(over: Exclude<InvitationFound["state"], "open">): Refusal {
  if (over === "other-address") return new Refusal("not-allowed", "This invitation went to another mail address than yours.");
  if (over === "closed") return new Refusal("not-allowed", "You cannot join this group.");
  return new Refusal("gone", "This invitation is over. Ask whoever sent it for a new one.");
}

/** Says no to an invitation by mail, so that nobody waits for it; a link that others may use is left as it is. */
export async function declineInvitation(tx: Tx, viewer: Viewer, input: { token: string }): Promise<void> {
  const row = await maybeOne(tx, sql<InvitationRow>`${invitationRow(viewer, input.token, tx.now)} for no key update of i`);
  if (!row) throw notFound();
  if (whyNot(row) || !isSignedIn(viewer)) return;
  await run(
    tx,
    sql`update group_invitations set revoked_at = ${tx.now}, revoked_by = ${viewer.id}, declined_at = ${tx.now} where id = ${row.invitationId} and kind = 'address'`,
  );
}
