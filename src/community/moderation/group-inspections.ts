import { HOUR, addMilliseconds } from "#platform/clock";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { groupMatchesSearch, groupFactsColumns, viewerMembership } from "#community/groups";
import { type GroupFacts, groupRules, type Viewer } from "#community/rules";
import type { NewInspection } from "./report-forms.ts";

/** An admin must give a reason again after this time. */
const INSPECTION_DURATION = HOUR;

/** A group that an admin is not a member of, with the details that the admin may see now. */
export type Inspection = {
  group: {
    id: string;
    /** Null for a secret group before the inspection. */
    name: string | null;
    visibility: GroupFacts["visibility"];
  };
  /** The current inspection; null if there is none. */
  open: { id: string; reason: string; since: Date; until: Date } | null;
};

type InspectedGroup = GroupFacts & { id: string; name: string };

/**
 * The state of an admin's inspection of a group, by id or slug.
 * @throws `not-found` for everyone else, and for a group that the admin can read
 */
export async function getInspection(
  db: Db,
  viewer: Viewer,
  idOrSlug: string,
  now: Date,
): Promise<Inspection> {
  const group = await findInspectableGroup(db, viewer, idOrSlug);
  const open = await getOpenInspection(db, viewer, group.id, now);
  const name = open || groupRules.see(viewer, group) ? group.name : null;
  return { group: { id: group.id, name, visibility: group.visibility }, open };
}

/**
 * Starts an inspection of a group for an hour. The reason is logged for its moderators and sent to its
 * owners. Has no effect during an inspection.
 * @throws `not-found` for everyone but admins, `not-allowed` for a restricted admin, `invalid` on `reason`
 */
export async function inspectGroup(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewInspection>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const group = await findInspectableGroup(tx, me, input.groupId);
  if (me.limited) throw new Refusal("not-allowed", "Your account cannot post at the moment.");
  // Locks the group, so that a second click finds the inspection that the first one started.
  await run(tx, sql`select from groups where id = ${group.id} for no key update`);
  if (await getOpenInspection(tx, me, group.id, tx.now)) return;
  const id = tx.newId();
  await run(
    tx,
    sql`insert into inspections (id, group_id, person_id, reason, started_at, ends_at)
        values (${id}, ${group.id}, ${me.id}, ${input.reason}, ${tx.now},
          ${addMilliseconds(tx.now, INSPECTION_DURATION)})`,
  );
  await writeAudit(tx, me, { act: "group.inspected", kind: "group", id: group.id, reason: input.reason });
  await emit(tx, { type: "group.inspected", groupId: group.id, inspectionId: id, by: me.id });
}

/**
 * Ends the inspection early.
 * @throws `not-found` for everyone but admins
 */
export async function endInspection(tx: Tx, viewer: Viewer, input: { groupId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const group = await findInspectableGroup(tx, me, input.groupId);
  await run(
    tx,
    sql`update inspections set ends_at = ${tx.now}
      where group_id = ${group.id} and person_id = ${me.id} and ends_at > ${tx.now}`,
  );
}

/** The viewer's current inspection of the group, or null. */
export const getOpenInspection = async (
  db: Db,
  viewer: Viewer,
  groupId: string,
  now: Date,
): Promise<Inspection["open"]> =>
  (await maybeOne(
    db,
    sql<NonNullable<Inspection["open"]>>`
      select id, reason, started_at as since, ends_at as until from inspections
      where person_id = ${viewer.id}::uuid and group_id = ${groupId} and ends_at > ${now}
      order by ends_at desc limit 1`,
  )) ?? null;

async function findInspectableGroup(db: Db, viewer: Viewer, idOrSlug: string): Promise<InspectedGroup> {
  const found =
    viewer.role === "admin" &&
    (await maybeOne(
      db,
      sql<InspectedGroup>`
        select g.id, g.name, ${groupFactsColumns("g", "m")}
        from groups g ${viewerMembership(viewer, "g", "m")}
        where ${groupMatchesSearch(idOrSlug, "g")}`,
    ));
  if (!found || !groupRules.inspect(viewer, found)) throw notFound();
  return found;
}
