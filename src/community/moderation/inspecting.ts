import { HOUR, later } from "#platform/clock";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { audit } from "#community/audit";
import { signedIn } from "#community/friends";
import { groupCalled, groupFactsColumns, viewersTie } from "#community/groups";
import { type GroupFacts, groupRules, type Viewer } from "#community/rules";
import type { NewInspection } from "./forms.ts";

/** So long an admin may look into a group before they have to say again why. */
const LASTS = HOUR;

/** A group that an admin does not read, and what they may know of it for now. */
export type Inspection = {
  group: {
    id: string;
    /** Null of a secret group until they look into it. */
    name: string | null;
    visibility: GroupFacts["visibility"];
  };
  /** Set while they look into it: why, since when and until when. */
  open: { id: string; reason: string; since: Date; until: Date } | null;
};

type Found = GroupFacts & { id: string; name: string };

/** What an admin finds who wants to look into a group, by its id or its slug. `not-found` for everybody else, and for what they read anyway. */
export async function inspectionOf(db: Db, viewer: Viewer, idOrSlug: string, now: Date): Promise<Inspection> {
  const group = await toInspect(db, viewer, idOrSlug);
  const open = await openInspection(db, viewer, group.id, now);
  const name = open || groupRules.see(viewer, group) ? group.name : null;
  return { group: { id: group.id, name, visibility: group.visibility }, open };
}

/**
 * Looks into a group for an hour, for a reason: that is written down where those who look after the group read it, and its owners are told. Who
 * looks into it already goes on. `not-found` for everybody but admins, `not-allowed` for one who may do nothing at the moment, `invalid` on `reason`.
 */
export async function inspectGroup(tx: Tx, viewer: Viewer, input: z.output<typeof NewInspection>): Promise<void> {
  const me = signedIn(viewer);
  const group = await toInspect(tx, me, input.groupId);
  if (me.limited) throw new Refusal("not-allowed", "Your account can write nothing at the moment.");
  // One at a time: of two presses the second finds that it is open.
  await run(tx, sql`select from groups where id = ${group.id} for no key update`);
  if (await openInspection(tx, me, group.id, tx.now)) return;
  const id = tx.newId();
  await run(
    tx,
    sql`insert into inspections (id, group_id, person_id, reason, begun_at, ends_at)
        values (${id}, ${group.id}, ${me.id}, ${input.reason}, ${tx.now}, ${later(tx.now, LASTS)})`,
  );
  await audit(tx, me, { act: "group.inspected", kind: "group", id: group.id, reason: input.reason });
  await announce(tx, { type: "group.inspected", groupId: group.id, inspectionId: id, by: me.id });
}

/** Ends it before its hour is over. `not-found` for everybody but admins. */
export async function endInspection(tx: Tx, viewer: Viewer, input: { groupId: string }): Promise<void> {
  const me = signedIn(viewer);
  const group = await toInspect(tx, me, input.groupId);
  await run(
    tx,
    sql`update inspections set ends_at = ${tx.now} where group_id = ${group.id} and person_id = ${me.id} and ends_at > ${tx.now}`,
  );
}

/** The one that is open, for reading within it. */
export const openInspection = async (db: Db, viewer: Viewer, groupId: string, now: Date): Promise<Inspection["open"]> =>
  (await maybeOne(
    db,
    sql<NonNullable<Inspection["open"]>>`
      select id, reason, begun_at as since, ends_at as until from inspections
      where person_id = ${viewer.id}::uuid and group_id = ${groupId} and ends_at > ${now} order by ends_at desc limit 1`,
  )) ?? null;

async function toInspect(db: Db, viewer: Viewer, idOrSlug: string): Promise<Found> {
  const found =
    viewer.role === "admin" &&
    (await maybeOne(
      db,
      sql<Found>`
        select g.id, g.name, ${groupFactsColumns} from groups g ${viewersTie(viewer)}
        where ${groupCalled(idOrSlug)}`,
    ));
  if (!found || !groupRules.inspect(viewer, found)) throw notFound();
  return found;
}
