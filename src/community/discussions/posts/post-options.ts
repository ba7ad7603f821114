import { type Db, limit, sql } from "#platform/database";
import { createExcerpt } from "#platform/markup";
import { notFound } from "#platform/refusal";
import { discussionRules, type Viewer } from "#community/rules";
import type { Discussion } from "../discussion-columns.ts";
import { discussionContainer, getPostContainer } from "./post-container.ts";
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
  return posts.map(toPostOption);
}

const toPostOption = ({ id, number, author, stub, html }: PostView): PostOption => ({
  id,
  number,
  author,
  stub,
  excerpt: createExcerpt(html ?? "", 140),
});

/**
 * Other posts of the same author in the same discussion or under the same resource whose text the viewer can read:
 * the `most` latest, oldest first.
 * @throws `not-found` for a post in a place that the viewer cannot read
 */
export async function listOtherPostsOfAuthor(
  db: Db,
  viewer: Viewer,
  postId: string,
  most: number,
): Promise<PostOption[]> {
  const container = await getPostContainer(db, viewer, postId);
  const isThere =
    "discussionId" in container.at
      ? sql`other.discussion_id = ${container.at.discussionId}`
      : sql`other.resource_id = ${container.at.resourceId}`;
  const posts = await listPostsWhere(
    db,
    viewer,
    container,
    sql`p.number > ${container.lastHiddenNumber} and p.id in (
      select other.id from posts one join posts other on other.author_id = one.author_id and ${isThere}
      where one.id = ${postId} and other.id <> one.id and other.state = 'published'
        and other.number > ${container.lastHiddenNumber}
      order by other.number desc ${limit(most)})`,
    true,
  );
  return posts.filter(({ html }) => html !== null).map(toPostOption);
}
