import { type Db, limit, many, sql } from "#platform/database";
import { blockedIds, blockerIds } from "#community/friends";
import { isDiscussionReadable, viewerMembership } from "#community/groups";
import type { Viewer } from "#community/rules";

export type SimilarDiscussion = { id: string; title: string; groupName: string };

const MAX_SIMILAR = 5;
/** Matches words of four letters or more. Shorter words are too frequent in titles. */
const WORD = /[\p{L}\p{N}]{4,40}/gu;

/** SQL: how many words of the array `words` the title of `d` contains. */
export const sharedWordCount = (words: ReturnType<typeof sql>, discussion: string) => {
  const d = sql.ref(discussion);
  return sql<number>`
  (select count(*) from unnest(${words}) word
  where to_tsvector('simple', ${d}.title) @@ to_tsquery('simple', word || ':*'))`;
};

/**
 * Lists up to five discussions that the viewer may read and whose titles share at least a third of this
 * title's words of four or more letters. The most similar come first, then the latest.
 */
export async function listSimilarDiscussions(
  db: Db,
  viewer: Viewer,
  title: string,
): Promise<SimilarDiscussion[]> {
  const words = [...new Set(title.slice(0, 200).toLowerCase().match(WORD) ?? [])].slice(0, 12);
  if (words.length === 0) return [];
  const needed = Math.ceil(words.length / 3);
  return many(
    db,
    sql<SimilarDiscussion>`
      select d.id, d.title, g.name as "groupName"
      from discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")},
        lateral (select ${sharedWordCount(sql`${words}::text[]`, "d")} as shared) alike
      where d.state = 'open' and ${isDiscussionReadable("d", "g", "m")}
        and d.author_id <> all(${blockerIds(viewer)})
        and d.author_id <> all(${blockedIds(viewer)}) and alike.shared >= ${needed}
        and d.id = any(array(select id from discussions where state = 'open'
          and to_tsvector('simple', title) @@ to_tsquery('simple',
            ${words.map((word) => `${word}:*`).join(" | ")}) order by id desc limit 2000))
      order by alike.shared desc, d.last_post_at desc, d.id desc ${limit(MAX_SIMILAR)}`,
  );
}
