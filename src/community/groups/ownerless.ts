import { many, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { audit } from "#community/audit";
import { signedIn } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import { withdrawGroup } from "./closing.ts";
import { assertHeirs } from "./joining.ts";
import { leaveAsItIs } from "./opening.ts";
import { anotherOwns } from "./owners.ts";

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
  for (const { id, state } of groups) await (state === "pending" ? withdrawGroup(tx, me, id) : archiveOwnerless(tx, me, id));
}

async function archiveOwnerless(tx: Tx, me: SignedIn, groupId: string): Promise<void> {
  await run(tx, sql`update groups set state = 'archived', archived_at = ${tx.now}, archived_by = ${me.id} where id = ${groupId}`);
  await leaveAsItIs(tx, me, groupId);
  await audit(tx, me, { act: "group.archived", kind: "group", id: groupId });
  await announce(tx, { type: "group.archived", groupId, by: me.id });
}
