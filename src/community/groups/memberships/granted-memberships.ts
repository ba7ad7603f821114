import { maybeOne, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { lockGroup } from "../group.ts";
import { applyMembership } from "./apply-membership.ts";

/**
 * Grants a group membership for a purchase in an external shop. Returns the group's id, or null if nothing
 * changed: the person is a member or banned, or the group is closed.
 */
export async function grantMembership(
  tx: Tx,
  it: { slug: string; personId: string },
): Promise<string | null> {
  const group = await maybeOne(
    tx,
    sql<{ id: string }>`select id from groups where slug = ${it.slug} and state = 'active' for no key update`,
  );
  const membership = group && (await findMembership(tx, { groupId: group.id, personId: it.personId }));
  if (!group || membership?.state === "member" || membership?.state === "banned") return null;
  await applyMembership(tx, { groupId: group.id, personId: it.personId, state: "member" });
  await emit(tx, { type: "group.joined", groupId: group.id, by: it.personId });
  return group.id;
}

/** Ends a granted membership. People who have become moderators or owners stay. */
export async function endGrantedMembership(tx: Tx, it: { groupId: string; personId: string }): Promise<void> {
  await lockGroup(tx, it.groupId);
  const membership = await findMembership(tx, it);
  if (membership?.state !== "member" || membership.role !== "member") return;
  await applyMembership(tx, { groupId: it.groupId, personId: it.personId, state: "left" });
  await emit(tx, { type: "group.left", groupId: it.groupId, by: it.personId });
}

const findMembership = (tx: Tx, it: { groupId: string; personId: string }) =>
  maybeOne(
    tx,
    sql<{
      state: string;
      role: string;
    }>`select state, role from memberships where group_id = ${it.groupId} and person_id = ${it.personId}`,
  );
