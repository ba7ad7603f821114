import { maybeOne, one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { lockShownOrHidden } from "./resource-hiding.ts";

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

/**
 * Withdraws the request to change resources: they are as visible as before it. The caller has checked that the viewer
 * may undo the decision.
 * @throws `conflict` if an owner has changed a resource, or its visibility was changed since
 */
export async function undoResourceReturns(
  tx: Tx,
  { before, decidedAt }: { before: ResourceVisibility[]; decidedAt: Date },
): Promise<void> {
  for (const { resourceId, hiddenAt } of before) {
    const found = await lockShownOrHidden(tx, resourceId);
    const waiting =
      found &&
      (await run(
        tx,
        sql`delete from pending_posts where resource_id = ${resourceId} and said->'resource' is not null
          and returned_at = ${decidedAt}`,
      ));
    const restored =
      waiting &&
      (await run(
        tx,
        sql`update resources set state = ${hiddenAt ? "hidden" : "published"}, returned_at = null,
            hidden_at = ${hiddenAt}::timestamptz
          where id = ${resourceId} and state = 'hidden' and returned_at = ${decidedAt}`,
      ));
    if (!found || !restored)
      throw new Refusal(
        "conflict",
        "The content was changed or reviewed after your decision, which therefore cannot be undone.",
      );
    if (!hiddenAt)
      await emit(tx, { type: "resource.unhidden", resourceId, groupId: found.groupId, by: null });
  }
}
