import { type Db, limit, many, one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { groupFactsJson, canModerateGroup, getGroupToChange, viewerMembership } from "#community/groups";
import {
  type GroupFacts,
  isSignedIn,
  resourceRules,
  type SignedIn,
  type Viewer,
  type Visibility,
} from "#community/rules";
import type { ResourceMove } from "./resource-inputs.ts";
import { getResourceForUpdate } from "./resource.ts";
import { type Resource } from "./resource-columns.ts";

/** A place to which a resource can be moved, with the facts that show who will read it there. */
export type ResourceTarget = { id: string; name: string; visibility: Visibility; membersCount: number };
export type ResourceMoveTargets = { groups: ResourceTarget[]; everybody: boolean };
const MAX_TARGETS = 200;

type MovableResource = Pick<Resource, "id" | "kind" | "ownerId" | "state" | "audience" | "createdAt"> & {
  group: (GroupFacts & { id: string }) | null;
};

/**
 * Groups, by name, to which the viewer may move a loaded resource, and whether they may move it to the
 * site-wide library.
 */
export async function listResourceMoveTargets(
  db: Db,
  viewer: Viewer,
  movableResource: MovableResource,
): Promise<ResourceMoveTargets> {
  if (!isSignedIn(viewer) || !resourceRules.moveFrom(viewer, movableResource))
    return { groups: [], everybody: false };
  const { others, home } = await getMoveConstraints(db, movableResource);
  const fits = (to: GroupFacts | null, id: string | null) =>
    resourceRules.move(viewer, movableResource, to, others) &&
    (home === null || home === id) &&
    id !== (movableResource.group?.id ?? null);
  const rows = await many(
    db,
    sql<{ facts: GroupFacts & ResourceTarget }>`
      select ${groupFactsJson("g", "m")} as facts from groups g ${viewerMembership(viewer, "g", "m")}
      where g.state = 'active' and (m.state = 'member' or ${canModerateGroup(viewer, "g", "m")})
      order by lower(g.name), g.id ${limit(MAX_TARGETS)}`,
  );
  const groups = rows.flatMap(({ facts }) => (fits(facts, facts.id) ? [toMoveTarget(facts)] : []));
  return { groups, everybody: fits(null, null) };
}

const toMoveTarget = ({ id, name, visibility, membersCount }: ResourceTarget): ResourceTarget => ({
  id,
  name,
  visibility,
  membersCount,
});

/**
 * Moves a resource with its versions, files and comments; its address stays the same. `visibility` is that
 * of the target as shown to the viewer.
 * @throws `not-found`, `gone`, `not-allowed`, `conflict` if it has changed since or the resource is already
 * in the target, `invalid` on `reason` for another owner's resource, and on `groupId` for content that must
 * stay in its group
 */
export async function moveResource(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof ResourceMove>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const it = await getResourceForUpdate(tx, me, input.resourceId);
  const group = input.groupId === undefined ? null : await getGroupToChange(tx, me, input.groupId, "read");
  const to = group?.id ?? null;
  const from = it.group?.id ?? null;
  await assertCanMove(tx, me, it, group);
  if (to === from) throw new Refusal("conflict", "The resource is already there.");
  if ((group?.visibility ?? "everybody") !== input.visibility)
    throw new Refusal("conflict", "The readers of that group have changed. Check again before you go on.");
  if (it.ownerId !== me.id && input.reason === "")
    throw invalid("reason", "Enter a reason. The owner will read it.");
  // The members-only restriction of the former group is dropped, because the viewer has seen the new
  // audience.
  await run(
    tx,
    sql`update resources set group_id = ${to}, audience = 'group', featured_at = null, featured_by = null
      where id = ${it.id}`,
  );
  if (to !== null) await removeFromGroupPlaces(tx, it.id, to);
  for (const groupId of [from, to])
    if (groupId !== null)
      await writeAudit(tx, me, {
        act: "resource.moved",
        kind: "resource",
        id: it.id,
        reason: input.reason,
        details: { groupId, from, to },
      });
  await emit(tx, { type: "resource.moved", resourceId: it.id, groupId: to, fromGroupId: from, by: me.id });
}

async function assertCanMove(
  tx: Tx,
  me: SignedIn,
  movableResource: MovableResource,
  to: (GroupFacts & { id: string }) | null,
): Promise<void> {
  if (!resourceRules.moveFrom(me, movableResource))
    throw new Refusal("not-allowed", "Only the owner and moderators can move this resource.");
  const { others, home } = await getMoveConstraints(tx, movableResource);
  if (home !== null && home !== to?.id)
    throw invalid("groupId", "Content from a group can only be saved in that group.");
  if (resourceRules.move(me, movableResource, to, others)) return;
  throw resourceRules.move(me, movableResource, to, false)
    ? new Refusal(
        "not-allowed",
        "Others have contributed to this resource for its current readers. Only someone who " +
          "moderates both its old and its new location can move it.",
      )
    : new Refusal("not-allowed", "You cannot move this resource there.");
}

/**
 * `others`: the resource contains content of people other than its owner. `home`: the group it must stay in,
 * because it was saved from a restricted post there.
 */
const getMoveConstraints = (
  db: Db,
  { id, kind, ownerId }: MovableResource,
): Promise<{ others: boolean; home: string | null }> =>
  one(
    db,
    sql<{ others: boolean; home: string | null }>`
      select exists (select from posts p
        where p.resource_id = ${id} and p.author_id is distinct from ${ownerId}::uuid)
          or exists (select from resource_versions v
            where v.resource_id = ${id} and v.by_id is distinct from ${ownerId}::uuid) as others,
        (select d.group_id from resource_uses use join posts p on p.id = use.post_id
        join discussions d on d.id = p.discussion_id join groups g on g.id = d.group_id
         where ${kind} = 'document' and use.resource_id = ${id} and use.is_origin
           and not (g.visibility = 'public' and d.audience = 'group') limit 1) as home`,
  );

/**
 * Removes the resource from collections and start-here lists of other places, whose readers might not be
 * able to see it.
 */
async function removeFromGroupPlaces(tx: Tx, id: string, groupId: string): Promise<void> {
  await run(
    tx,
    sql`delete from collection_items i using collections c
        where c.id = i.collection_id and i.resource_id = ${id}
          and c.group_id is distinct from ${groupId}::uuid`,
  );
  await run(tx, sql`delete from group_start_items where resource_id = ${id} and group_id <> ${groupId}`);
}
