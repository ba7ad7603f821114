import { many, sql, type Tx } from "#platform/database";
import { signedIn } from "#community/friends";
import type { Viewer } from "#community/rules";
import { withdrawGroup } from "./closing.ts";
import { assertHeirs } from "./joining.ts";
import { anotherOwns } from "./owners.ts";
import { putToRest } from "./resting.ts";

/**
 * What becomes of the groups of somebody who closes their account, in the transaction that closes it. Throws `conflict` while they are the only
 * owner of one that others could take over. One in which nobody could is archived at once and not when the account is erased, so that nobody
 * joins what nobody looks after; whoever comes back within those thirty days owns it still, and opens it again. One that nobody has let in goes.
 */
export async function leaveGroupsBehind(tx: Tx, viewer: Viewer): Promise<void> {
  const me = signedIn(viewer);
  await assertHeirs(tx, me.id);
  const groups = await many(
    tx,
    sql<{ id: string; state: string }>`
      select g.id, g.state from memberships m join groups g on g.id = m.group_id
      where m.person_id = ${me.id} and m.state = 'member' and m.role = 'owner' and g.state in ('active', 'pending') and not ${anotherOwns(me.id)}
      order by g.id`,
  );
  for (const { id, state } of groups) await (state === "pending" ? withdrawGroup(tx, me, id) : putToRest(tx, me, { groupId: id }));
}
