import { DAY, addMilliseconds } from "#platform/clock";
import { one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { SERVER_LIMITS, type Viewer } from "#community/rules";
import type { ResourceLevel } from "./resource-inputs.ts";
import { getResource } from "./resource.ts";

/**
 * Sets the follow level: `watching` notifies of every comment and version, `muted` of nothing.
 * @throws `not-found`
 */
export async function followResource(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof ResourceLevel>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const { id } = await getResource(tx, me, input.resourceId);
  await run(
    tx,
    sql`insert into resource_follows (person_id, resource_id, level, changed_at)
      values (${me.id}, ${id}, ${input.level}, ${tx.now})
        on conflict (person_id, resource_id) do update set level = excluded.level,
          changed_at = excluded.changed_at`,
  );
}

/**
 * Bookmarks a resource. Others see only the number of bookmarks.
 * @throws `not-found`, `too-many` above the daily limit
 */
export async function addResourceBookmark(
  tx: Tx,
  viewer: Viewer,
  input: { resourceId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const { id } = await getResource(tx, me, input.resourceId);
  // The lock serializes a person's bookmarks, so that two concurrent ones are both counted.
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('bookmarks:' || ${me.id}::text, 0))`);
  const { today } = await one(
    tx,
    sql<{ today: number }>`
      select count(*)::int as today from resource_bookmarks
      where person_id = ${me.id} and created_at > ${addMilliseconds(tx.now, -DAY)}`,
  );
  if (today >= (me.trust === "new" ? SERVER_LIMITS.bookmarks.newDay : SERVER_LIMITS.bookmarks.day))
    throw new Refusal("too-many", "You have reached today's limit of bookmarks. Come back tomorrow.");
  const made = await run(
    tx,
    sql`insert into resource_bookmarks (person_id, resource_id, created_at)
      values (${me.id}, ${id}, ${tx.now}) on conflict do nothing`,
  );
  if (made > 0) await adjustBookmarkCount(tx, id, 1, me.id);
}

/**
 * Removes the bookmark, even of a resource that is no longer visible.
 * @throws `not-found` for an invalid id
 */
export async function removeResourceBookmark(
  tx: Tx,
  viewer: Viewer,
  input: { resourceId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  if (!isId(input.resourceId)) throw notFound();
  const gone = await run(
    tx,
    sql`delete from resource_bookmarks where person_id = ${me.id} and resource_id = ${input.resourceId}`,
  );
  if (gone > 0) await adjustBookmarkCount(tx, input.resourceId, -1, me.id);
}

async function adjustBookmarkCount(tx: Tx, resourceId: string, by: 1 | -1, me: string) {
  await run(
    tx,
    sql`update resources set bookmarks_count = greatest(bookmarks_count + ${by}, 0) where id = ${resourceId}`,
  );
  await emit(tx, { type: "resource.bookmarked", resourceId, by: me });
}
