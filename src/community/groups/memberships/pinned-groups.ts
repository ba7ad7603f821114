import { run, sql, type Tx } from "#platform/database";
import { notFound } from "#platform/refusal";
import { requireSignedIn } from "#community/friends";
import type { Viewer } from "#community/rules";
import { getGroupToChange } from "../group.ts";

/**
 * Pins a group at the top of the viewer's own groups.
 * @throws `not-found` for non-members
 */
export const pinGroup = (tx: Tx, viewer: Viewer, input: { groupId: string }): Promise<void> =>
  setPin(tx, viewer, input.groupId, tx.now);

/**
 * Unpins a group.
 * @throws `not-found` for non-members
 */
export const unpinGroup = (tx: Tx, viewer: Viewer, input: { groupId: string }): Promise<void> =>
  setPin(tx, viewer, input.groupId, null);

async function setPin(tx: Tx, viewer: Viewer, groupId: string, at: Date | null): Promise<void> {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, groupId, "read");
  if (group.viewerState !== "member") throw notFound();
  await run(
    tx,
    sql`update memberships set pinned_at = ${at}
      where group_id = ${group.id} and person_id = ${me.id} and state = 'member'`,
  );
}
