import { many, sql, type Tx } from "#platform/database";
import { requireSignedIn } from "#community/friends";
import type { Viewer } from "#community/rules";
import { withdrawPendingGroup } from "../lifecycle/archive-and-delete.ts";
import { assertSuccessors } from "../memberships/join-and-leave.ts";
import { hasOtherOwner } from "./owner-candidates.ts";
import { forceArchiveGroup } from "../lifecycle/force-archive.ts";

/**
 * Handles the groups of a person who deactivates their account, in the same transaction. Groups that no
 * other member can take over are archived at once, so that no one joins an unmoderated group; within the
 * thirty days the person still owns them and can unarchive them. Pending groups are deleted.
 * @throws `conflict` while they are the only owner of a group that others could take over
 */
export async function leaveOwnedGroups(tx: Tx, viewer: Viewer): Promise<void> {
  const me = requireSignedIn(viewer);
  await assertSuccessors(tx, me.id);
  const groups = await many(
    tx,
    sql<{ id: string; state: string }>`
      select g.id, g.state from memberships m join groups g on g.id = m.group_id
      where m.person_id = ${me.id} and m.state = 'member' and m.role = 'owner'
        and g.state in ('active', 'pending') and not ${hasOtherOwner(me.id, "g")}
      order by g.id`,
  );
  for (const { id, state } of groups)
    await (state === "pending"
      ? withdrawPendingGroup(tx, me, id)
      : forceArchiveGroup(tx, me, { groupId: id }));
}
