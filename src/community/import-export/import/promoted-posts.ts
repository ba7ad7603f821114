import { many, sql } from "#platform/database";
import { type Batch, type Entry, formatSourceId } from "./import-batch.ts";

/**
 * Handles discussions that were started from a post of another discussion. If that post was imported with
 * the other discussion, the replies are added to that discussion. A separate discussion would lack the post
 * to which its first reply refers.
 */
export async function attachPromotedDiscussions(batch: Batch): Promise<void> {
  const grown = (batch.entries.discussion ?? []).flatMap((entry) => {
    const post = entry.record.begunBy && batch.names.of("post", entry.record.begunBy);
    return post && batch.names.of("discussion", entry.record.id) === undefined ? [{ it: entry, post }] : [];
  });
  if (grown.length === 0) return;
  const rows = await many(
    batch.tx,
    sql<{ id: string; discussion: string }>`
      select id, discussion_id as discussion from posts
      where id = any(${grown.map(({ post }) => post)}::uuid[]) and discussion_id is not null`,
  );
  const places = new Map(rows.map(({ id, discussion }) => [id, discussion]));
  for (const { it, post } of grown) attachToDiscussion(batch, it, places.get(post));
}

function attachToDiscussion(batch: Batch, entry: Entry<"discussion">, discussion: string | undefined): void {
  if (discussion === undefined) return;
  batch.names.add("discussion", formatSourceId(entry.record), { localId: discussion, made: false });
  batch.note(
    entry,
    "Its first message was imported earlier into another discussion: its replies were added there.",
  );
}
