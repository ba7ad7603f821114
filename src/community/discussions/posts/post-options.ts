import { type Db, sql } from "#platform/database";
import { createExcerpt } from "#platform/markup";
import { notFound } from "#platform/refusal";
import { discussionRules, type Viewer } from "#community/rules";
import type { Discussion } from "../discussion-columns.ts";
import { discussionContainer } from "./post-container.ts";
import { listPostsWhere, type PostView } from "./post-queries.ts";

export type PostOption = Pick<PostView, "id" | "number" | "author" | "stub"> & { excerpt: string };

/**
 * Posts of a discussion by number, with the beginning of their texts, for a selection. Moved posts are left
 * out.
 */
export async function listPostsByNumber(
  db: Db,
  viewer: Viewer,
  discussion: Discussion,
  numbers: number[],
): Promise<PostOption[]> {
  if (!discussionRules.see(viewer, discussion)) throw notFound();
  const posts = await listPostsWhere(
    db,
    viewer,
    discussionContainer(viewer, discussion),
    sql`p.discussion_id = ${discussion.id} and p.number = any(${numbers}::int[])
      and p.number > ${discussion.lastHiddenNumber} and p.state <> 'moved'`,
  );
  return posts.map(({ id, number, author, stub, html }) => ({
    id,
    number,
    author,
    stub,
    excerpt: createExcerpt(html ?? "", 140),
  }));
}
