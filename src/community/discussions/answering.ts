import { maybeOne, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import { partedFrom, signedIn } from "#community/friends";
import { discussionRules, type SignedIn, type Viewer } from "#community/rules";
import { type Discussion, discussionToChange } from "./discussion.ts";
import { apply, type Change, enterIntoLog, type Explained, reasonIfAny } from "./moderating.ts";
import { assertMayShapeNow } from "./pace.ts";

/**
 * Marks the question as answered, optionally by one of its posts. Its author and moderators may; a
 * moderator's change is audited.
 * @throws `not-found` (also for a post of another discussion), `not-allowed`, `too-many` above thirty changes
 * of an author in a day
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

/**
 * Reopens the question.
 * @throws as `resolveDiscussion`
 */
export const reopenDiscussion = (tx: Tx, viewer: Viewer, input: Explained) =>
  settle(tx, viewer, input, (_me, { resolvedAt }) =>
    resolvedAt === null
      ? null
      : { kind: "reopened", reason: reasonIfAny(input), set: sql`resolved_at = null, resolved_by = null, answer_id = null` },
  );

type Decide = (me: SignedIn, discussion: Discussion) => Change | null | Promise<Change | null>;

/** `change` returns null when nothing changes, so that a repeated call adds no entry. */
async function settle(tx: Tx, viewer: Viewer, input: Explained, change: Decide) {
  const me = signedIn(viewer);
  const discussion = await discussionToChange(tx, me, input.discussionId);
  if (!discussionRules.resolve(me, discussion))
    throw new Refusal("not-allowed", "Its author and those who look after the group decide this.");
  const it = await change(me, discussion);
  if (it === null) return;
  await assertMayShapeNow(tx, me, discussion);
  await apply(tx, me, discussion, it);
  // Authors' changes to their own question are not moderation, so that they are not audited.
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
