import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { appealRules, type SignedIn, type Viewer } from "#community/rules";
import type { MemberRemoval, NewAppeal } from "../group-forms.ts";
import { hasOtherModerators } from "./group-bans.ts";
import { getRemovablePerson } from "./member-roles.ts";
import { isGroupVisible, viewerMembership } from "../group-columns.ts";

/** A ban as shown to the banned person. */
export type OwnBan = {
  groupId: string;
  /** Null for a group that the person may no longer see. */
  slug: string | null;
  /** Name of the group as the person knows it. */
  name: string;
  reason: string;
  since: Date;
  /** Null if the ban lasts until it is lifted. */
  until: Date | null;
  /** Text of the appeal; empty if there is none. */
  appeal: string;
  appealedAt: Date | null;
  /** The moderators' answer to the appeal, if they declined it. */
  answer: string;
  declinedAt: Date | null;
};

/**
 * Name of the group in the ban notification, for a group the person may no longer see; null if they were
 * never notified.
 */
const notifiedGroupName = sql`(
  select n.stored_name from notifications n
  where n.person_id = m.person_id and n.object_id = g.id and n.kind = 'group_decision'
    and n.stored_name is not null
  order by n.updated_at desc limit 1)`;

const ownBanQuery = (me: SignedIn, groupId: string) => sql<OwnBan>`
  select g.id as "groupId", case when ${isGroupVisible("g", "m")} then g.slug
    end as slug, known.name, m.reason, m.changed_at as since, m.banned_until as until,
    m.appeal, m.appealed_at as "appealedAt", m.appeal_answer as answer, m.appeal_declined_at as "declinedAt"
  from groups g ${viewerMembership(me, "g", "m")} cross
  join lateral (select case when ${isGroupVisible("g", "m")} then g.name else ${notifiedGroupName}
    end as name) known
  where g.id = ${groupId} and g.state <> 'deleted' and m.state = 'banned' and known.name is not null`;

async function findOwnBan(db: Db, me: SignedIn, groupId: string): Promise<OwnBan> {
  const ban = isId(groupId) ? await maybeOne(db, ownBanQuery(me, groupId)) : undefined;
  if (!ban) throw notFound();
  return ban;
}

/**
 * The viewer's ban from a group, by group id, with their appeal. Bans from secret groups are included, under
 * the group's name in the notification.
 * @throws `not-signed-in`, `not-found` without a ban or a notification of it
 */
export async function getOwnBan(db: Db, viewer: Viewer, groupId: string): Promise<OwnBan> {
  return findOwnBan(db, requireSignedIn(viewer), groupId);
}

/**
 * Appeals a ban, once. If there is another moderator than the one who banned the viewer, that moderator
 * decides.
 * @throws `not-found` like `getOwnBan`, `conflict` after an earlier appeal, `not-allowed` when it is too
 * late
 */
export async function appealGroupBan(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewAppeal>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const groupId = isId(input.groupId) ? input.groupId : null;
  // Lifting a ban locks the group's row too, so that the two commands run one after another.
  await run(tx, sql`select from groups where id = ${groupId} for no key update`);
  const ban = await findOwnBan(tx, me, input.groupId);
  if (ban.appealedAt) throw new Refusal("conflict", "You have already appealed. An appeal can be made once.");
  if (!appealRules.ask(me, ban, tx.now))
    throw new Refusal("not-allowed", "The 20 days to appeal have passed.");
  const kept = await run(
    tx,
    sql`update memberships set appeal = ${input.text}, appealed_at = ${tx.now}
      where group_id = ${groupId} and person_id = ${me.id} and state = 'banned'`,
  );
  // The job that ends bans does not take this lock, so it may have ended the ban meanwhile.
  if (kept === 0) throw notFound();
  await emit(tx, { type: "group.appealed", groupId: ban.groupId, by: me.id });
}

type PendingAppeal = {
  askedAt: Date | null;
  declinedAt: Date | null;
  bannedBy: string | null;
  othersLead: boolean;
};

/**
 * Declines an appeal with an answer to the person. To grant an appeal, use `liftGroupBan`.
 * @throws `not-found`, `conflict` without a pending appeal, `not-allowed` for the moderator who banned,
 * where there is another
 */
export async function declineGroupBanAppeal(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof MemberRemoval>,
): Promise<void> {
  const { me, group, other } = await getRemovablePerson(tx, viewer, input);
  const pendingAppeal = await maybeOne(
    tx,
    sql<PendingAppeal>`select m.appealed_at as "askedAt", m.appeal_declined_at as "declinedAt",
      m.banned_by as "bannedBy", ${hasOtherModerators} as "othersLead"
      from memberships m where m.group_id = ${group.id} and m.person_id = ${other.id}`,
  );
  if (!pendingAppeal?.askedAt || pendingAppeal.declinedAt)
    throw new Refusal("conflict", "This appeal has already been decided.");
  if (!appealRules.decline(me, group, { ...pendingAppeal, personId: other.id }))
    throw new Refusal(
      "not-allowed",
      "You made the first decision, so another moderator decides the appeal. You can still lift the ban.",
    );
  await run(
    tx,
    sql`update memberships set appeal_answer = ${input.reason}, appeal_declined_at = ${tx.now}
      where group_id = ${group.id} and person_id = ${other.id}`,
  );
  await writeAudit(tx, me, {
    act: "group.appeal_declined",
    kind: "group",
    id: group.id,
    reason: input.reason,
    details: { personId: other.id },
  });
  await emit(tx, { type: "group.appeal_declined", groupId: group.id, personId: other.id, by: me.id });
}
