import { type Db, many, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import { cursorOf, given, type Page, type PersonCard, readCursor } from "#community/common";
import { blockedOf, blockersOf, cardFor } from "#community/friends";
import { pastBlocks, viewersTie } from "#community/groups";
import { discussionRules, type PostFacts, type Viewer } from "#community/rules";
import { type Discussion, discussionFor } from "./discussion.ts";

/** A post's text as it was from `at` on. `before` is the text that it replaced; null for the first. `reason` is why somebody else than its author changed it. */
export type PostVersion = { at: Date; by: PersonCard | null; body: string; before: string | null; reason: string };
export type PostHistory = Page<PostVersion> & {
  post: { id: string; number: number; author: PersonCard | null };
  discussion: Pick<Discussion, "id" | "title" | "language" | "group">;
};
const SIZE = 10;

type Kept = PostFacts & {
  id: string;
  number: number;
  body: string;
  createdAt: Date;
  discussionId: string | null;
  author: PersonCard | null;
};
/** A text that was replaced: when, and by whom. The text that stands now has no end yet. */
type Text = { body: string; endedAt: Date | null; endedBy: PersonCard | null; reason: string };

/**
 * What a post said before it was changed, the latest first. Whoever may read the post may read this; of a post that was
 * taken away only those who look after the group. `not-found` for everybody else.
 */
export async function historyOf(db: Db, viewer: Viewer, postId: string, query: { after?: string } = {}): Promise<PostHistory> {
  const post = isId(postId) ? await maybeOne(db, postAsKept(viewer, postId)) : undefined;
  if (!post?.discussionId) throw notFound();
  const discussion = await discussionFor(db, viewer, post.discussionId);
  if (post.number <= discussion.hiddenUpTo || !discussionRules.seeHistory(viewer, post, discussion)) throw notFound();
  const texts = await textsOf(db, viewer, post, readCursor(query.after, ["time"])?.[0]);
  const rows = texts.slice(0, SIZE).map(({ body }, i): PostVersion => {
    const older = texts[i + 1];
    return {
      at: older?.endedAt ?? post.createdAt,
      by: older ? older.endedBy : post.author,
      body,
      before: older?.body ?? null,
      reason: older?.reason ?? "",
    };
  });
  const more = texts[SIZE]?.endedAt;
  const { id, title, language, group } = discussion;
  return {
    rows,
    next: more ? cursorOf(more) : null,
    post: { id: post.id, number: post.number, author: post.author },
    discussion: { id, title, language, group },
  };
}

const postAsKept = (viewer: Viewer, postId: string) => sql<Kept>`
  select p.id, p.number, p.author_id as "authorId", p.state, p.body_md as body, p.created_at as "createdAt", p.discussion_id as "discussionId",
    p.author_id = any(${blockersOf(viewer, pastBlocks)}) as "blocksViewer", p.author_id = any(${blockedOf(viewer)}) as "viewerBlocks",
    ${cardFor(viewer, "author", pastBlocks)} as author
  from posts p join people author on author.id = p.author_id
  left join discussions d on d.id = p.discussion_id left join groups g on g.id = d.group_id ${viewersTie(viewer)}
  where p.id = ${postId}`;

/** The texts of a post from the one that ended at `from` on, backwards; one more than a page, for what came before its last. */
async function textsOf(db: Db, viewer: Viewer, post: Kept, from: Date | undefined): Promise<Text[]> {
  const replaced = await many(
    db,
    sql<Text>`
      select r.body_md as body, r.replaced_at as "endedAt", ${cardFor(viewer, "by")} as "endedBy", r.reason
      from post_revisions r join people by on by.id = r.replaced_by
      where r.post_id = ${post.id} ${given(from, (at) => sql`r.replaced_at <= ${at}`)}
      order by r.replaced_at desc limit ${SIZE + 1}`,
  );
  return from ? replaced : [{ body: post.body, endedAt: null, endedBy: null, reason: "" }, ...replaced.slice(0, SIZE)];
}
