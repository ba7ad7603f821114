import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { enqueueJob as doLater } from "#platform/jobs";
import { notFound, Refusal } from "#platform/refusal";
import { requireSignedIn } from "#community/friends";
import { type GroupFacts, groupRules, type Viewer, SERVER_LIMITS } from "#community/rules";
import { getGroupToChange } from "../group.ts";
import { groupFactsColumns, viewerMembership } from "../group-columns.ts";

type GroupWithId = GroupFacts & { id: string };
type ExportRow = {
  id: string;
  mine: boolean;
  createdAt: Date;
  readyAt: Date | null;
  expiresAt: Date;
  tooLarge: boolean;
  size: number | null;
};

/** Export status of a group. */
export type GroupExportStatus = {
  /** The latest export by any owner; null if there is no recent one. The log names the owner. */
  latest: { state: "making" | "ready" | "too-large" | "failed"; mine: boolean } | null;
  /** The viewer's own export, which only they can download. */
  own: { id: string; readyAt: Date; expiresAt: Date; size: number } | null;
  /** Time from which the next export can be requested; null if it can be requested now. */
  againAt: Date | null;
};

/**
 * Export status of a group the viewer owns.
 * @throws `not-allowed` for all but owners
 */
export async function getGroupExportStatus(
  db: Db,
  viewer: Viewer,
  group: GroupWithId,
  now: Date,
): Promise<GroupExportStatus> {
  assertCanExport(viewer, group);
  const rows = await many(
    db,
    sql<ExportRow>`
      select e.id, e.person_id = ${viewer.id}::uuid as mine, e.created_at as "createdAt",
        e.ready_at as "readyAt", e.expires_at as "expiresAt", e.too_large as "tooLarge",
        e.size::float8 as size
      from group_exports e
      where e.group_id = ${group.id}
        and (e.expires_at > ${now} or e.created_at > ${addMilliseconds(now, -DAY)})
        order by e.created_at desc, e.id desc`,
  );
  const [last] = rows;
  const own = rows.find(({ mine, size, expiresAt }) => mine && size !== null && expiresAt > now);
  const againAt = last && addMilliseconds(last.createdAt, DAY / SERVER_LIMITS.export.perDay.group);
  return {
    latest: last ? { state: exportState(last, now), mine: last.mine } : null,
    own: own ? { id: own.id, readyAt: own.readyAt!, expiresAt: own.expiresAt, size: own.size! } : null,
    againAt: againAt && againAt > now ? againAt : null,
  };
}

function exportState({ readyAt, tooLarge, expiresAt }: ExportRow, now: Date) {
  if (readyAt) return "ready";
  if (tooLarge) return "too-large";
  return expiresAt > now ? "making" : "failed";
}

function assertCanExport(viewer: Viewer, group: GroupFacts): void {
  if (!groupRules.export(viewer, group)) throw new Refusal("not-allowed", "Only owners can export a group.");
}

/**
 * Requests an export of the group as the viewer, an owner, can read it. The new export replaces the viewer's
 * earlier one.
 * @throws `not-found`, `not-allowed`, `conflict` while an export is in progress, `too-many` for the second
 * in a day by any owner
 */
export async function requestGroupExport(
  tx: Tx,
  viewer: Viewer,
  input: { groupId: string },
): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  // The lock makes the second of two concurrent requests see the first.
  const group = await getGroupToChange(tx, me, input.groupId);
  const { latest, againAt } = await getGroupExportStatus(tx, me, group, tx.now);
  if (latest?.state === "making") throw new Refusal("conflict", "This group is already being exported.");
  if (againAt)
    throw new Refusal("too-many", "A group can be exported once a day.", {
      retryAfter: Math.ceil((againAt.getTime() - tx.now.getTime()) / 1000),
    });
  await run(
    tx,
    sql`update group_exports set expires_at = ${tx.now}
      where group_id = ${group.id} and person_id = ${me.id} and expires_at > ${tx.now}`,
  );
  const id = tx.newId();
  // An export that is not ready within hours has failed.
  await run(
    tx,
    sql`insert into group_exports (id, group_id, person_id, created_at, expires_at)
        values (${id}, ${group.id}, ${me.id}, ${tx.now},
          ${addMilliseconds(tx.now, SERVER_LIMITS.export.makingHours * (DAY / 24))})`,
  );
  await doLater(tx, {
    task: "group-export",
    payload: { exportId: id },
    key: `group-export:${id}`,
    mostAttempts: 3,
  });
  return { id };
}

/**
 * The file of the viewer's export, while they own the group.
 * @throws `not-found` for other people's exports, and if the export is not ready or has expired
 */
export async function getGroupExportFile(
  db: Db,
  viewer: Viewer,
  id: string,
  now: Date,
): Promise<{ hash: string; size: number; slug: string }> {
  const found = isId(id)
    ? await maybeOne(
        db,
        sql<GroupFacts & { hash: string; size: number; slug: string }>`
          select e.hash, e.size::float8 as size, g.slug, ${groupFactsColumns("g", "m")}
          from group_exports e join groups g on g.id = e.group_id ${viewerMembership(viewer, "g", "m")}
          where e.id = ${id} and e.person_id = ${viewer.id}::uuid and e.hash is not null
            and e.expires_at > ${now}`,
      )
    : undefined;
  if (!found || !groupRules.export(viewer, found)) throw notFound();
  return { hash: found.hash, size: found.size, slug: found.slug };
}
