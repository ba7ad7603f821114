import { maybeOne, one, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";

/** Whether a resource was hidden, and since when; times as in JSON. */
export type ResourceVisibility = {
  resourceId: string;
  hiddenAt: string | null;
  unhiddenAt: string | null;
  returned: boolean;
};

/** Reads what a decision changes in resources that are not removed, so that it can be restored. */
export const readResourceVisibility = async (tx: Tx, resourceIds: string[]): Promise<ResourceVisibility[]> =>
  (
    await one(
      tx,
      sql<{ resources: ResourceVisibility[] }>`
        select coalesce(json_agg(json_build_object('resourceId', id, 'hiddenAt', hidden_at,
          'unhiddenAt', unhidden_at, 'returned', returned_at is not null) order by id), '[]') as resources
        from resources where id = any(${resourceIds}::uuid[]) and state in ('published', 'hidden')`,
    )
  ).resources;

/**
 * Hides resources again that reports had hidden and that the decision, or the undo of a removal, has shown. Leaves
 * resources as they are whose visibility has changed since.
 */
export async function hideResourcesAgain(
  tx: Tx,
  { before, decidedAt }: { before: ResourceVisibility[]; decidedAt: Date },
): Promise<void> {
  for (const { resourceId, hiddenAt, unhiddenAt } of before) {
    if (!hiddenAt) continue;
    const hidden = await maybeOne(
      tx,
      sql<{ groupId: string | null }>`
        update resources set state = 'hidden', hidden_at = ${hiddenAt}::timestamptz,
          unhidden_at = ${unhiddenAt}::timestamptz
        where id = ${resourceId} and state = 'published' and unhidden_at in (${decidedAt}, ${tx.now})
        returning group_id as "groupId"`,
    );
    if (hidden) await emit(tx, { type: "resource.hidden", resourceId, groupId: hidden.groupId, by: null });
  }
}
