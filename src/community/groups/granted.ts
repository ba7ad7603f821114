import { maybeOne, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { settle } from "./settle.ts";

/**
 * Makes somebody a member of the group of that address by what they have elsewhere, such as a purchase. Gives the group's id, or null where
 * nothing changed: they are in it, kept out of it, or nobody joins it any more.
 */
export async function grantMembership(tx: Tx, it: { slug: string; personId: string }): Promise<string | null> {
  const group = await maybeOne(
    tx,
    sql<{ id: string; tie: string | null }>`
      select g.id, m.state as tie from groups g left join memberships m on m.group_id = g.id and m.person_id = ${it.personId}
      where g.slug = ${it.slug} and g.state = 'active' for no key update of g`,
  );
  if (!group || group.tie === "member" || group.tie === "banned") return null;
  await settle(tx, { groupId: group.id, personId: it.personId, state: "member" });
  await announce(tx, { type: "group.joined", groupId: group.id, by: it.personId });
  return group.id;
}

/** Ends a membership that was granted. Who looks after the group by now stays. */
export async function endGrantedMembership(tx: Tx, it: { groupId: string; personId: string }): Promise<void> {
  const tie = await maybeOne(
    tx,
    sql<{ role: string }>`
      select m.role from memberships m join groups g on g.id = m.group_id
      where m.group_id = ${it.groupId} and m.person_id = ${it.personId} and m.state = 'member' for no key update of g`,
  );
  if (tie?.role !== "member") return;
  await settle(tx, { groupId: it.groupId, personId: it.personId, state: "left" });
  await announce(tx, { type: "group.left", groupId: it.groupId, by: it.personId });
}
