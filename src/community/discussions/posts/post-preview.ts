import { type Db, maybeOne, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { blockedEitherWayIds } from "#community/friends";
import { type Viewer } from "#community/rules";
import { getDraftTarget } from "./mentionables.ts";
import { renderWithMentions, PREVIEW_ID } from "./mentions.ts";
import { getPost } from "./post-queries.ts";

/**
 * Renders a text as it would appear at `place` (a discussion, a group for a new discussion, or a resource),
 * with its unresolved mentions. Stores nothing.
 * @throws `not-found`, `not-allowed` if the viewer may not write there
 */
export async function renderPreview(
  db: Db | Tx,
  viewer: Viewer,
  target: string,
  body: string,
): Promise<{ html: string; plain: string[] }> {
  const { me, readers } = await getDraftTarget(db, viewer, target);
  const { html, plain } = await renderWithMentions(db, me, readers, body, PREVIEW_ID);
  return { html, plain };
}

/** Maximum characters quoted from a post. */
const MAX_QUOTED = 2_000;

/**
 * Renders the text of a post as a quote for a reply.
 * @throws `not-found`, `not-allowed` for a stub
 */
export async function renderQuote(db: Db, viewer: Viewer, postId: string): Promise<string> {
  const post = await getPost(db, viewer, postId);
  if (post.html === null) throw new Refusal("not-allowed", "There is nothing to quote.");
  const row = await maybeOne(
    db,
    sql<{
      body: string;
    }>`select left(body_md, ${MAX_QUOTED}) as body from posts
      where id = ${post.id} and author_id <> all(${blockedEitherWayIds(viewer)})`,
  );
  // Moderators can read the post despite a block, but cannot reply to it.
  if (!row) throw new Refusal("not-allowed", "There is nothing to quote.");
  const lines = row.body.split("\n");
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n") + "\n\n";
}
