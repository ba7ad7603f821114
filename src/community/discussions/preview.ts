import { type Db, maybeOne, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { partedFrom } from "#community/friends";
import { type Viewer } from "#community/rules";
import { placeToWrite } from "./callable.ts";
import { calledIn, PREVIEW } from "./mentions.ts";
import { postFor } from "./posts.ts";

/**
 * A text as it would stand at `place` (a discussion, a group for a new one, or a resource) if the viewer sent it now, and the names
 * in it that would call nobody. Stores nothing. Throws `not-found`, and `not-allowed` for who may not write there.
 */
export async function previewOf(db: Db | Tx, viewer: Viewer, place: string, body: string): Promise<{ html: string; plain: string[] }> {
  const { me, readers } = await placeToWrite(db, viewer, place);
  const { html, plain } = await calledIn(db, me, readers, body, PREVIEW);
  return { html, plain };
}

/** More of a post than this is not quoted at once (characters). */
const MOST_QUOTED = 2_000;

/** The words of a post, ready to stand in an answer to it. `not-found`, and `not-allowed` where the viewer finds a stub. */
export async function quoteOf(db: Db, viewer: Viewer, postId: string): Promise<string> {
  const post = await postFor(db, viewer, postId);
  if (post.html === null) throw new Refusal("not-allowed", "There is nothing to quote.");
  const row = await maybeOne(
    db,
    sql<{
      body: string;
    }>`select left(body_md, ${MOST_QUOTED}) as body from posts where id = ${post.id} and author_id <> all(${partedFrom(viewer)})`,
  );
  // Who looks after the group reads it past a block, and still has nothing to answer to it.
  if (!row) throw new Refusal("not-allowed", "There is nothing to quote.");
  const lines = row.body.split("\n");
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n") + "\n\n";
}
