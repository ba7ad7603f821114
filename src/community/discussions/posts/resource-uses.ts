import { run, sql, type Tx } from "#platform/database";
import { isContentReadable, viewerMembership } from "#community/groups";
import type { SignedIn } from "#community/rules";

/** A text with more resource links than this is a list, not a use. */
const MAX_USES = 20;

/** Ids of the resources that a text links to. */
export const findResourceIds = (html: string): string[] =>
  [
    ...new Set(
      [...html.matchAll(/href="(?:https?:\/\/[^/"]+)?\/resources\/([0-9a-f-]{36})(?=["?#])/g)].map(
        (match) => match[1]!,
      ),
    ),
  ].slice(0, MAX_USES);

/**
 * Replaces the resources that a post is stored as using by those its author can see. Resources that were
 * saved from the post (`is_origin`) stay.
 */
export async function storeResourceUses(tx: Tx, me: SignedIn, postId: string, ids: string[]): Promise<void> {
  await run(
    tx,
    sql`delete from resource_uses
      where post_id = ${postId} and not is_origin and resource_id <> all(${ids}::uuid[])`,
  );
  if (ids.length === 0) return;
  await run(
    tx,
    sql`insert into resource_uses (resource_id, post_id)
        select r.id, ${postId}::uuid from resources r left
        join groups g on g.id = r.group_id ${viewerMembership(me, "g", "m")}
        where r.id = any(${ids}::uuid[]) and r.state = 'published'
          and (r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")})
        on conflict do nothing`,
  );
}
