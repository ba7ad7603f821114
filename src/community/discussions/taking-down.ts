import { maybeOne, sql, type Tx } from "#platform/database";
import { invalid } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { takeAway } from "./changing.ts";
import { lockedPlace } from "./locked-place.ts";

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
