import { maybeOne, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import { partedFrom, signedIn } from "#community/friends";
import { discussionRules, type SignedIn, type Viewer } from "#community/rules";
import { type Discussion, discussionToChange } from "./discussion.ts";
import { apply, type Change, enterIntoLog, type Explained, reasonIfAny } from "./moderating.ts";
import { assertMayShapeNow } from "./pace.ts";

/**
 * Marks the question as answered, by one of its posts if one is named: its author may, and those who look after the
 * group, whose doing stands in its log. Throws `not-found` (for a post that is not in it, too), `not-allowed`, `too-many` above thirty
 * changes of an author's in a day.
 */
export const resolveDiscussion = (tx: Tx, viewer: Viewer, input: Explained & { postId?: string | undefined }) =>
  settle(tx, viewer, input, async (me, { resolvedAt, answer: before }) => {
    const answer = input.postId === undefined ? null : await answerIn(tx, me, input.discussionId, input.postId);
    if (resolvedAt !== null && answer === (before?.id ?? null)) return null;
    return {
      kind: "resolved",
      reason: reasonIfAny(input),
      set: sql`resolved_at = ${tx.now}, resolved_by = ${me.id}, answer_id = ${answer}`,
    };
  });

/** Takes the mark away again; throws the same. */
export const reopenDiscussion = (tx: Tx, viewer: Viewer, input: Explained) =>
  settle(tx, viewer, input, (_me, { resolvedAt }) =>
    resolvedAt === null
      ? null
      : { kind: "reopened", reason: reasonIfAny(input), set: sql`resolved_at = null, resolved_by = null, answer_id = null` },
  );

type Decide = (me: SignedIn, discussion: Discussion) => Change | null | Promise<Change | null>;

/** `change` is null where it is so already: said twice, it is said once. */
async function settle(tx: Tx, viewer: Viewer, input: Explained, change: Decide) {
  const me = signedIn(viewer);
  const discussion = await discussionToChange(tx, me, input.discussionId);
  if (!discussionRules.resolve(me, discussion))
    throw new Refusal("not-allowed", "Its author and those who look after the group decide this.");
  const it = await change(me, discussion);
  if (it === null) return;
  await assertMayShapeNow(tx, me, discussion);
  await apply(tx, me, discussion, it);
  // What people say of their own question is no deed of those who look after the group.
  if (discussion.authorId !== me.id) await enterIntoLog(tx, me, discussion, it);
}

async function answerIn(tx: Tx, me: SignedIn, discussionId: string, postId: string): Promise<string> {
  const post = isId(postId)
    ? await maybeOne(
        tx,
        sql<{
          id: string;
        }>`select id from posts where id = ${postId} and discussion_id = ${discussionId} and state = 'published' and author_id <> all(${partedFrom(me)})`,
      )
    : undefined;
  if (!post) throw notFound();
  return post.id;
}
