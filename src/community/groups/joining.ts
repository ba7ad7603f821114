import { type Db, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { announce } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { audit } from "#community/audit";
import { signedIn } from "#community/friends";
import { vouchFor } from "#community/people";
import { groupRules, type SignedIn, type Viewer, isSignedIn } from "#community/rules";
import { answersTo } from "./answers.ts";
import { withdrawGroup } from "./closing.ts";
import type { JoinAnswers } from "./forms.ts";
import { type GroupAsFound, groupToChange, lockGroup, type NotifyLevel } from "./group.ts";
import { anotherOwns, canTakeOver, somebodyCouldOwn } from "./owners.ts";
import { askAlone, assertMayAskNow, forgetEarlierWithdrawals } from "./pace.ts";
import { putToRest } from "./resting.ts";
import { settle } from "./settle.ts";

/**
 * Joins an open group, or accepts an invitation.
 * @throws `not-found`, `conflict` for a member, `not-allowed` where a request is needed
 */
export async function joinGroup(tx: Tx, viewer: Viewer, input: { groupId: string }): Promise<void> {
  const me = signedIn(viewer);
  const group = await groupToChange(tx, me, input.groupId);
  if (!groupRules.join(me, group)) throw cannotEnter(group, tx.now);
  if (group.viewerState === "invited") await takeVouching(tx, me, group.id);
  await settle(tx, { groupId: group.id, personId: me.id, state: "member" });
  await announce(tx, { type: "group.joined", groupId: group.id, by: me.id });
}

async function takeVouching(tx: Tx, me: SignedIn, groupId: string): Promise<void> {
  const tie = await maybeOne(
    tx,
    sql<{ by: string | null }>`select invited_by as by from memberships where group_id = ${groupId} and person_id = ${me.id}`,
  );
  if (tie?.by) await vouchFor(tx, me.id, tie.by);
}

/**
 * Requests to join.
 * @throws `not-found`, `not-allowed`, `too-many` after three requests a day, `invalid` for a missing answer,
 * `conflict`, also for changed questions
 */
export async function askToJoin(tx: Tx, viewer: Viewer, input: z.output<typeof JoinAnswers>): Promise<void> {
  const me = signedIn(viewer);
  await askAlone(tx, me);
  const group = await groupToChange(tx, me, input.groupId);
  if (!groupRules.ask(me, group, tx.now)) throw cannotEnter(group, tx.now);
  await assertMayAskNow(tx, me, group.id);
  const answers = answersTo(group.questions, input);
  await settle(tx, { groupId: group.id, personId: me.id, state: "requested", answers });
  await announce(tx, { type: "group.requested", groupId: group.id, by: me.id });
}

export const declinedLately = () => new Refusal("not-allowed", "Your request was declined. You can ask again 30 days after that.");

function cannotEnter(group: GroupAsFound, now: Date): Refusal {
  if (group.viewerState === "member") return new Refusal("conflict", "You are a member already.");
  if (group.viewerState === "requested") return new Refusal("conflict", "You have asked already. Somebody will answer.");
  if (group.state !== "active") return new Refusal("not-allowed", "This group is archived: it can be read, and nobody joins any more.");
  if (group.viewerState === "banned") return new Refusal("not-allowed", "You cannot join this group.");
  if (group.viewerState === "invited") return new Refusal("conflict", "You are invited: accept the invitation instead.");
  if (group.joinPolicy === "open") return new Refusal("conflict", "This group is open: you can simply join.");
  if (group.askAgainAt && group.askAgainAt > now && group.joinPolicy === "request") return declinedLately();
  return new Refusal(
    "not-allowed",
    group.joinPolicy === "request" ? "Ask to join: somebody will let you in." : "This group is by invitation.",
  );
}

/**
 * Withdraws the viewer's request, even from a group that has become secret.
 * @throws `not-found` without a request
 */
export async function withdrawRequest(tx: Tx, viewer: Viewer, { groupId }: { groupId: string }): Promise<void> {
  const me = signedIn(viewer);
  if (!isId(groupId)) throw notFound();
  await lockGroup(tx, groupId);
  const asks = await maybeOne(
    tx,
    sql`select from memberships where group_id = ${groupId} and person_id = ${me.id} and state = 'requested'`,
  );
  if (!asks) throw notFound();
  await settle(tx, { groupId, personId: me.id, state: "withdrawn" });
  await forgetEarlierWithdrawals(tx, me, groupId);
  await announce(tx, { type: "group.request_withdrawn", groupId, by: me.id });
}

/**
 * Declines an invitation.
 * @throws `not-found` without an invitation
 */
export async function refuseInvitation(tx: Tx, viewer: Viewer, input: { groupId: string }): Promise<void> {
  const { me, group } = await standingAs(tx, viewer, input.groupId, "invited");
  await settle(tx, { groupId: group.id, personId: me.id, state: "refused" });
  await announce(tx, { type: "group.invitation_refused", groupId: group.id, by: me.id });
}

async function standingAs(tx: Tx, viewer: Viewer, groupId: string, state: GroupAsFound["viewerState"]) {
  const me = signedIn(viewer);
  const group = await groupToChange(tx, me, groupId);
  if (group.viewerState !== state) throw notFound();
  return { me, group };
}

/**
 * Leaves a group; the viewer's content stays, or is removed a day later (`writings`: "remove") unless they
 * have rejoined. The last owner must name a successor (`conflict`); without other members the group is
 * archived, or deleted if pending.
 */
export async function leaveGroup(tx: Tx, viewer: Viewer, input: Leaving): Promise<void> {
  const { me, group } = await standingAs(tx, viewer, input.groupId, "member");
  if (group.state === "pending" && group.membersCount === 1) return withdrawGroup(tx, me, group.id);
  if (group.viewerRole === "owner") await handOver(tx, me, group, input.heirId);
  await settle(tx, { groupId: group.id, personId: me.id, state: "left", takesAlong: input.writings === "remove" });
  await announce(tx, { type: "group.left", groupId: group.id, by: me.id });
}

type Leaving = { groupId: string; heirId?: string | undefined; writings?: "keep" | "remove" | undefined };

async function handOver(tx: Tx, me: SignedIn, group: GroupAsFound, heirId: string | undefined) {
  if (heirId) return makeOwner(tx, me, group, heirId);
  const { owned, ownable } = await one(
    tx,
    sql<{ owned: boolean; ownable: boolean }>`
      select ${anotherOwns(me.id)} as owned, ${somebodyCouldOwn(me.id)} as ownable from groups g where g.id = ${group.id}`,
  );
  if (owned) return;
  if (ownable) throw new Refusal("conflict", "You are the only owner. Name somebody who takes over before you leave.");
  if (group.state === "active") await putToRest(tx, me, { groupId: group.id });
}

async function makeOwner(tx: Tx, me: SignedIn, group: GroupAsFound, heirId: string) {
  const heir =
    isId(heirId) && heirId !== me.id
      ? await run(
          tx,
          sql`update memberships m set role = 'owner', changed_at = ${tx.now} from people p
              where m.group_id = ${group.id} and m.person_id = ${heirId} and m.state = 'member' and p.id = m.person_id and ${canTakeOver}`,
        )
      : 0;
  if (heir === 0) throw invalid("heirId", "Whoever takes over has to be a member of the group who is still here.");
  await audit(tx, me, { act: "group.role_changed", kind: "group", id: group.id, details: { personId: heirId, role: "owner" } });
  await announce(tx, { type: "group.role_changed", groupId: group.id, personId: heirId, by: me.id });
}

/**
 * Sets the viewer's notification level.
 * @throws `not-found` for non-members
 */
export async function setGroupNotices(tx: Tx, viewer: Viewer, input: { groupId: string; level: NotifyLevel }): Promise<void> {
  const me = signedIn(viewer);
  const changed =
    isId(input.groupId) &&
    (await run(
      tx,
      sql`update memberships set notify_level = ${input.level} where group_id = ${input.groupId} and person_id = ${me.id} and state = 'member'`,
    ));
  if (!changed) throw notFound();
}

/** Groups with other members whose only owner is the viewer, who must name a successor before leaving. */
export const groupsWithoutHeir = async (db: Db, viewer: Viewer): Promise<{ slug: string; name: string }[]> =>
  isSignedIn(viewer) ? heirless(db, viewer.id) : [];

const heirless = (db: Db, personId: string) =>
  many(
    db,
    sql<{ slug: string; name: string }>`
      select g.slug, g.name from memberships m join groups g on g.id = m.group_id
      where m.person_id = ${personId} and m.state = 'member' and m.role = 'owner' and g.state <> 'deleted'
        and not ${anotherOwns(personId)} and ${somebodyCouldOwn(personId)}
      order by lower(g.name), g.id`,
  );

/**
 * Checks for a deactivation that the person is not the only owner of a group with other members. Locks those
 * groups, so that the last two owners cannot leave at once.
 * @throws `conflict`
 */
export async function assertHeirs(tx: Tx, personId: string): Promise<void> {
  await run(
    tx,
    sql`select from groups g where g.id in (select group_id from memberships where person_id = ${personId} and state = 'member' and role = 'owner')
        order by g.id for no key update`,
  );
  const orphans = await heirless(tx, personId);
  if (orphans.length > 0)
    throw new Refusal(
      "conflict",
      `You are the only owner of ${orphans.map(({ name }) => `“${name}”`).join(", ")}. Name somebody who takes over first.`,
    );
}
