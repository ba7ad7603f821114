import { DAY, later } from "#platform/clock";
import { type Db, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { announce } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import { audit } from "#community/audit";
import type { PersonCard } from "#community/common";
import { signedIn } from "#community/friends";
import { type GroupFacts, groupRules, type SignedIn, type Viewer } from "#community/rules";
import { groupToChange } from "./group.ts";
import { canTakeOver } from "./owners.ts";

/** When no owner has been here for so long, those who moderate may ask the site for a new one. */
const ABSENT_DAYS = 60;
/** So many are named at most to whom a group can be handed over; others first become moderators. */
const SUCCESSORS = 50;

/** Whether every owner of the group `g` has been away, or has no account any more. */
const ownersAway = (now: Date) => sql<boolean>`not exists (
  select from memberships o join people p on p.id = o.person_id
  where o.group_id = g.id and o.state = 'member' and o.role = 'owner' and p.state in ('active', 'limited')
    and coalesce(p.seen_at, p.created_at) > ${later(now, -ABSENT_DAYS * DAY)})`;

export type HeirStanding = "owned" | "may-ask" | "asked";

/** Whether the viewer, who moderates a group, may ask for a new owner of it, or somebody has. */
export async function heirStanding(db: Db, viewer: Viewer, group: GroupFacts & { id: string }, now: Date): Promise<HeirStanding> {
  if (!groupRules.askForHeir(viewer, group)) return "owned";
  const row = await maybeOne(
    db,
    sql<{
      away: boolean;
      asked: boolean;
    }>`select ${ownersAway(now)} as away, heir_asked_at is not null as asked from groups g where id = ${group.id}`,
  );
  if (row?.asked) return "asked";
  return row?.away ? "may-ask" : "owned";
}

/** To whom the viewer, who owns a group, can hand it over: those who moderate first, the longest there on top. Nobody for others. */
export const successorsOf = async (db: Db, viewer: Viewer, group: GroupFacts & { id: string }): Promise<PersonCard[]> =>
  groupRules.setRole(viewer, group, { id: "" })
    ? many(
        db,
        sql<PersonCard>`
          select p.id, p.username, p.display_name as name, p.photo_id as "photoId" from memberships o join people p on p.id = o.person_id and ${canTakeOver}
          where o.group_id = ${group.id} and o.state = 'member' and o.role <> 'owner' order by o.role desc, o.joined_at, p.id ${limit(SUCCESSORS)}`,
      )
    : [];

/** Asks the site's admins for a new owner. Throws `not-found`, `not-allowed`, and `conflict` while an owner is around or after somebody has asked. */
export async function askForHeir(tx: Tx, viewer: Viewer, input: { groupId: string }): Promise<void> {
  const me = signedIn(viewer);
  const group = await groupToChange(tx, me, input.groupId);
  if (!groupRules.askForHeir(me, group)) throw new Refusal("not-allowed", "Only those who moderate the group ask for a new owner.");
  const standing = await heirStanding(tx, me, group, tx.now);
  if (standing === "owned") throw new Refusal("conflict", "An owner of this group has been here within the last sixty days.");
  if (standing === "asked") throw new Refusal("conflict", "Somebody has asked already. The admins of this community will answer.");
  await run(tx, sql`update groups set heir_asked_at = ${tx.now}, heir_asked_by = ${me.id} where id = ${group.id}`);
  await audit(tx, me, { act: "group.heir_asked", kind: "group", id: group.id });
  await announce(tx, { type: "group.heir_asked", groupId: group.id, by: me.id });
}

/** Makes one of those who moderate a group the owner that it asked for. Throws `not-allowed` for all but admins, `not-found`, `invalid`. */
export async function appointHeir(tx: Tx, viewer: Viewer, input: { groupId: string; personId: string }): Promise<void> {
  const me = await atTheDesk(tx, viewer, input.groupId);
  const made = isId(input.personId)
    ? await run(
        tx,
        sql`update memberships m set role = 'owner', changed_at = ${tx.now} from people p
            where m.group_id = ${input.groupId} and m.person_id = ${input.personId} and m.state = 'member' and m.role = 'moderator'
              and p.id = m.person_id and ${canTakeOver}`,
      )
    : 0;
  if (made === 0) throw invalid("personId", "Whoever takes over has to moderate the group.");
  await answered(tx, me, input.groupId, { act: "group.heir_appointed", personId: input.personId });
  await announce(tx, { type: "group.role_changed", groupId: input.groupId, personId: input.personId, by: me.id });
}

/** Leaves a group as it is: its owner has come back, or will. Throws as above. */
export async function declineHeir(tx: Tx, viewer: Viewer, input: { groupId: string }): Promise<void> {
  const me = await atTheDesk(tx, viewer, input.groupId);
  await answered(tx, me, input.groupId, { act: "group.heir_declined", personId: null });
  await announce(tx, { type: "group.heir_declined", groupId: input.groupId, by: me.id });
}

/** The group asked the site: an admin may answer, and knows no more of it than that. */
async function atTheDesk(tx: Tx, viewer: Viewer, groupId: string): Promise<SignedIn> {
  const me = signedIn(viewer);
  if (me.role !== "admin") throw new Refusal("not-allowed", "Only admins appoint the owner of a group.");
  const asks =
    isId(groupId) &&
    (await maybeOne(tx, sql`select from groups where id = ${groupId} and heir_asked_at is not null and state <> 'deleted' for update`));
  if (!asks) throw notFound();
  return me;
}

async function answered(tx: Tx, me: SignedIn, groupId: string, { act, personId }: { act: string; personId: string | null }) {
  await run(tx, sql`update groups set heir_asked_at = null, heir_asked_by = null where id = ${groupId}`);
  await audit(tx, me, { act, kind: "group", id: groupId, details: { personId } });
}
