import { type Db, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { type GroupFacts, groupRules, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import type { StartItem, StartItemMove, NewStartItem } from "./group-forms.ts";
import { type GroupToChange, getGroupToChange } from "./group.ts";
import { viewerMembership } from "./group-columns.ts";
import { isContentReadable, isDiscussionReadable } from "./content-visibility.ts";

export type StartItemView = {
  id: string;
  kind: "discussion" | "resource";
  targetId: string;
  title: string;
  why: string;
};

/**
 * Items that new members should read first, in order. Items that the viewer may not read are left out.
 * @throws `not-found` for viewers who may not read the group
 */
export async function listStartItems(
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
): Promise<StartItemView[]> {
  if (!groupRules.read(viewer, group)) throw notFound();
  return many(
    db,
    sql<StartItemView>`
      select s.id, case when d.id is null then 'resource' else 'discussion'
        end as kind, coalesce(d.id, r.id) as "targetId",
        coalesce(d.title, r.title) as title, coalesce(r.why, '') as why
      from group_start_items s join groups g on g.id = s.group_id ${viewerMembership(viewer, "g", "m")}
      left join discussions d on d.id = s.discussion_id and d.group_id = s.group_id and d.state <> 'deleted'
        and ${isDiscussionReadable("d", "g", "m")}
      left join resources r on r.id = s.resource_id and r.state = 'published'
        and (r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")})
      where s.group_id = ${group.id} and (d.id is not null or r.id is not null)
      order by s.position, s.id`,
  );
}

/**
 * Adds a discussion or a resource as the last item.
 * @throws `not-found`, `not-allowed`, `conflict` at ten items, `invalid` for an address that
 * `findStartTarget` does not accept
 */
export async function addStartItem(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewStartItem>,
): Promise<void> {
  const { me, group } = await lockStartItems(tx, viewer, input);
  const standing = await listStartItems(tx, me, group);
  if (standing.length >= LIMITS.startItems)
    throw new Refusal("conflict", "There can be at most 10 items. Remove one first.");
  const target = await findStartTarget(tx, me, group, input.address);
  const put = await run(
    tx,
    sql`insert into group_start_items (id, group_id, discussion_id, resource_id, position, added_by, added_at)
        select ${tx.newId()}, ${group.id}, ${target.discussionId}, ${target.resourceId},
          coalesce(max(position), 0) + 1, ${me.id}, ${tx.now}
        from group_start_items where group_id = ${group.id} on conflict do nothing`,
  );
  if (put > 0)
    await writeAudit(tx, me, { act: "group.start_item_added", kind: "group", id: group.id, details: target });
  await emit(tx, { type: "group.start_changed", groupId: group.id, by: me.id });
}

/**
 * The target of an address, if the viewer may read it and it is a discussion of the group, or a resource of
 * the group or of the whole site.
 */
async function findStartTarget(tx: Tx, me: SignedIn, group: GroupToChange, address: string) {
  const [, entity, id] = /\/(discussions|resources)\/([0-9a-f-]{36})/i.exec(address) ?? [];
  const found =
    id === undefined || !isId(id)
      ? undefined
      : await maybeOne(
          tx,
          entity?.toLowerCase() === "discussions"
            ? sql`select from discussions d
              join groups g on g.id = d.group_id ${viewerMembership(me, "g", "m")}
              where d.id = ${id} and d.group_id = ${group.id} and d.state <> 'deleted'
                and ${isDiscussionReadable("d", "g", "m")}`
            : sql`select from resources r
              join groups g on g.id = ${group.id} ${viewerMembership(me, "g", "m")}
                  where r.id = ${id} and r.state = 'published'
                    and (r.group_id is null or (r.group_id = g.id
                      and ${isContentReadable("r", "created_at", "g", "m")}))`,
        );
  if (!found) throw invalid("address", "That is not a discussion or resource of this group.");
  const isDiscussion = entity?.toLowerCase() === "discussions";
  return { discussionId: isDiscussion ? id! : null, resourceId: isDiscussion ? null : id! };
}

/**
 * Removes an item.
 * @throws `not-found`, `not-allowed`
 */
export async function removeStartItem(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof StartItem>,
): Promise<void> {
  const { me, group } = await lockStartItems(tx, viewer, input);
  const gone = await maybeOne(
    tx,
    sql<{ discussionId: string | null; resourceId: string | null }>`
      delete from group_start_items where id = ${input.itemId} and group_id = ${group.id}
      returning discussion_id as "discussionId", resource_id as "resourceId"`,
  );
  if (!gone) throw notFound();
  await writeAudit(tx, me, { act: "group.start_item_removed", kind: "group", id: group.id, details: gone });
  await emit(tx, { type: "group.start_changed", groupId: group.id, by: me.id });
}

/**
 * Swaps an item with its neighbour; does nothing if there is no neighbour.
 * @throws `not-found`, `not-allowed`
 */
export async function moveStartItem(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof StartItemMove>,
): Promise<void> {
  const { me, group } = await lockStartItems(tx, viewer, input);
  const standing = (await listStartItems(tx, me, group)).map(({ id }) => id);
  const at = standing.indexOf(input.itemId);
  if (at < 0) throw notFound();
  const other = standing[at + (input.way === "up" ? -1 : 1)];
  if (other) await swapStartItems(tx, group.id, input.itemId, other);
  await emit(tx, { type: "group.start_changed", groupId: group.id, by: me.id });
}

/** Swaps two items. A deleted item between them keeps its position for the case that it is restored. */
async function swapStartItems(tx: Tx, groupId: string, one: string, other: string): Promise<void> {
  const items = await many(
    tx,
    sql<{ id: string }>`select id from group_start_items where group_id = ${groupId} order by position, id`,
  );
  const ids = items.map(({ id }) => (id === one ? other : id === other ? one : id));
  await run(
    tx,
    sql`update group_start_items s set position = o.place
      from unnest(${ids}::uuid[]) with ordinality o (id, place) where s.id = o.id`,
  );
}

async function lockStartItems(tx: Tx, viewer: Viewer, input: { groupId: string }) {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, input.groupId);
  if (!groupRules.edit(me, group))
    throw new Refusal("not-allowed", "Only moderators of the group can change this.");
  return { me, group };
}
