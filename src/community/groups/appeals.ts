import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { announce } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { audit } from "#community/audit";
import { signedIn } from "#community/friends";
import { appealRules, type SignedIn, type Viewer } from "#community/rules";
import type { Removal, NewAppeal } from "./forms.ts";
import { othersLead } from "./kept-out.ts";
import { overSomebody } from "./roles.ts";
import { groupVisible, viewersTie } from "./sight.ts";

/** How somebody is kept out of a group, for themselves. */
export type OwnBan = {
  groupId: string;
  /** Null for a group that they may not know of any more. */
  slug: string | null;
  /** The name by which they know it. */
  name: string;
  reason: string;
  since: Date;
  /** Null: until it is lifted. */
  until: Date | null;
  /** What they said, "" before that, and what became of it. */
  appeal: string;
  appealedAt: Date | null;
  answer: string;
  declinedAt: Date | null;
};

/** Of a group that they may not know of (any more), the name by which they were told that they are kept out; none: they were told of nothing. */
const toldName = sql`(
  select n.kept_name from notifications n
  where n.person_id = m.person_id and n.object_id = g.id and n.kind = 'group_decision' and n.kept_name is not null
  order by n.updated_at desc limit 1)`;

const ownBanOf = (me: SignedIn, groupId: string) => sql<OwnBan>`
  select g.id as "groupId", case when ${groupVisible} then g.slug end as slug, known.name, m.reason, m.changed_at as since, m.banned_until as until,
    m.appeal, m.appealed_at as "appealedAt", m.appeal_answer as answer, m.appeal_declined_at as "declinedAt"
  from groups g ${viewersTie(me)} cross join lateral (select case when ${groupVisible} then g.name else ${toldName} end as name) known
  where g.id = ${groupId} and g.state <> 'deleted' and m.state = 'banned' and known.name is not null`;

async function found(db: Db, me: SignedIn, groupId: string): Promise<OwnBan> {
  const ban = isId(groupId) ? await maybeOne(db, ownBanOf(me, groupId)) : undefined;
  if (!ban) throw notFound();
  return ban;
}

/**
 * Why and until when the viewer is kept out of a group, by its id, and what they asked for. Also of a secret group, which they find
 * no longer, by the name that they were told. Throws `not-signed-in`, and `not-found` where nobody keeps them out, or they were told of nothing.
 */
export async function ownBan(db: Db, viewer: Viewer, groupId: string): Promise<OwnBan> {
  return found(db, signedIn(viewer), groupId);
}

/**
 * Asks, once, to be let back: another than who decided looks at it, where the group has one. Throws `not-found` like `ownBan`,
 * `conflict` for who has asked before, `not-allowed` when it is too late.
 */
export async function appealGroupBan(tx: Tx, viewer: Viewer, input: z.output<typeof NewAppeal>): Promise<void> {
  const me = signedIn(viewer);
  const groupId = isId(input.groupId) ? input.groupId : null;
  // Whoever lifts it meanwhile holds the group's row: one of the two is first.
  await run(tx, sql`select from groups where id = ${groupId} for no key update`);
  const ban = await found(tx, me, input.groupId);
  if (ban.appealedAt) throw new Refusal("conflict", "You have asked already. It is asked once.");
  if (!appealRules.ask(me, ban, tx.now)) throw new Refusal("not-allowed", "It is too late for that: it could be asked for twenty days.");
  const kept = await run(
    tx,
    sql`update memberships set appeal = ${input.text}, appealed_at = ${tx.now} where group_id = ${groupId} and person_id = ${me.id} and state = 'banned'`,
  );
  // The clock, which ends bans, waits for nobody.
  if (kept === 0) throw notFound();
  await announce(tx, { type: "group.appealed", groupId: ban.groupId, by: me.id });
}

type Asked = { askedAt: Date | null; declinedAt: Date | null; bannedBy: string | null; othersLead: boolean };

/**
 * Says no to somebody who asked to be let back; they read why. Throws `not-found`, `conflict` where nobody waits for an answer any
 * more, and `not-allowed` for who decided at first, where somebody else looks after the group. Letting back is `liftGroupBan`.
 */
export async function declineAppeal(tx: Tx, viewer: Viewer, input: z.output<typeof Removal>): Promise<void> {
  const { me, group, other } = await overSomebody(tx, viewer, input);
  const asked = await maybeOne(
    tx,
    sql<Asked>`select m.appealed_at as "askedAt", m.appeal_declined_at as "declinedAt", m.banned_by as "bannedBy", ${othersLead} as "othersLead"
      from memberships m where m.group_id = ${group.id} and m.person_id = ${other.id}`,
  );
  if (!asked?.askedAt || asked.declinedAt) throw new Refusal("conflict", "They wait for no answer: it was given meanwhile.");
  if (!appealRules.decline(me, group, { ...asked, personId: other.id }))
    throw new Refusal(
      "not-allowed",
      "You decided this at first. Somebody else who looks after the group answers; you can let them come back.",
    );
  await run(
    tx,
    sql`update memberships set appeal_answer = ${input.reason}, appeal_declined_at = ${tx.now} where group_id = ${group.id} and person_id = ${other.id}`,
  );
  await audit(tx, me, { act: "group.appeal_declined", kind: "group", id: group.id, reason: input.reason, details: { personId: other.id } });
  await announce(tx, { type: "group.appeal_declined", groupId: group.id, personId: other.id, by: me.id });
}
