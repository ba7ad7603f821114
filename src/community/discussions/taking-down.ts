import { maybeOne, sql, type Tx } from "#platform/database";
import { invalid } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { takeAway } from "./changing.ts";
import type { Ground } from "./ground.ts";

/** Joins what the post `x` stands in, as `d` or as `s`, and its group `g`, where it is in one. */
export const withItsPlace = sql`
  left join discussions d on d.id = x.discussion_id left join resources s on s.id = x.resource_id left join groups g on g.id = coalesce(d.group_id, s.group_id)`;

/**
 * Takes away a post, or comment, about which a report was upheld; what is gone already stays as it is. Who may judge the report may
 * do this, also where they read nothing else of the place: whoever calls answers for that. Throws `invalid` on `reason`.
 */
export async function takeDown(tx: Tx, me: SignedIn, { postId, reason }: { postId: string; reason: string }): Promise<void> {
  if (reason.trim() === "") throw invalid("reason", "Say why: the author will read it.");
  const at = await lockedPlace(tx, postId);
  const post =
    at &&
    (await maybeOne(
      tx,
      sql<{ id: string; number: number; authorId: string }>`
        select id, number, author_id as "authorId" from posts where id = ${postId} and state in ('published', 'hidden') for no key update`,
    ));
  if (post) await takeAway(tx, me, at, { ...post, isOnly: at.isOnly }, reason.trim());
}

/** What the post stands in, locked before it as everywhere, and whether it is alone there. */
async function lockedPlace(tx: Tx, postId: string): Promise<(Pick<Ground, "at"> & { isOnly: boolean }) | null> {
  const found = await maybeOne(
    tx,
    sql<{ discussionId: string | null; resourceId: string | null }>`
      select discussion_id as "discussionId", resource_id as "resourceId" from posts where id = ${postId}`,
  );
  if (found?.discussionId) {
    const { discussionId } = found;
    const row = await maybeOne(
      tx,
      sql<{ groupId: string; isOnly: boolean }>`
        select group_id as "groupId", last_number = 1 as "isOnly" from discussions where id = ${discussionId} for no key update`,
    );
    return row ? { at: { discussionId, groupId: row.groupId }, isOnly: row.isOnly } : null;
  }
  if (!found?.resourceId) return null;
  const { resourceId } = found;
  const row = await maybeOne(
    tx,
    sql<{ groupId: string | null }>`select group_id as "groupId" from resources where id = ${resourceId} for no key update`,
  );
  return row ? { at: { resourceId, groupId: row.groupId }, isOnly: false } : null;
}
