import { maybeOne, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import { blockedEitherWayIds, requireSignedIn } from "#community/friends";
import { discussionRules, type SignedIn, type Viewer } from "#community/rules";
import { getDiscussionForUpdate } from "../discussion.ts";
import { type Discussion } from "../discussion-columns.ts";
import {
  applyDiscussionChange,
  type DiscussionChange,
  auditDiscussionChange,
  type OptionalReasonInput,
  trimReason,
} from "./discussion-moderation.ts";
import { assertOwnDiscussionEditLimit } from "../posts/post-limits.ts";

/**
 * Marks the question as answered, optionally with one of its posts as the answer. The author and moderators
 * may mark it; a moderator's change is audited.
 * @throws `not-found` (also for a post of another discussion), `not-allowed`, `too-many` above thirty
 * changes of an author in a day
 */
export const resolveDiscussion = (
  tx: Tx,
  viewer: Viewer,
  input: OptionalReasonInput & { postId?: string | undefined },
) =>
  changeAnswer(tx, viewer, input, async (me, { resolvedAt, answer: before }) => {
    const answer =
      input.postId === undefined ? null : await findAnswerPost(tx, me, input.discussionId, input.postId);
    if (resolvedAt !== null && answer === (before?.id ?? null)) return null;
    return {
      kind: "resolved",
      reason: trimReason(input),
      set: sql`resolved_at = ${tx.now}, resolved_by = ${me.id}, answer_id = ${answer}`,
    };
  });

/**
 * Reopens an answered question.
 * @throws like `resolveDiscussion`
 */
export const reopenDiscussion = (tx: Tx, viewer: Viewer, input: OptionalReasonInput) =>
  changeAnswer(tx, viewer, input, (_me, { resolvedAt }) =>
    resolvedAt === null
      ? null
      : {
          kind: "reopened",
          reason: trimReason(input),
          set: sql`resolved_at = null, resolved_by = null, answer_id = null`,
        },
  );

type DecideChange = (
  me: SignedIn,
  discussion: Discussion,
) => DiscussionChange | null | Promise<DiscussionChange | null>;

/** Changes the answer. `change` returns null when nothing changes, so that a repeated call adds no entry. */
async function changeAnswer(tx: Tx, viewer: Viewer, input: OptionalReasonInput, change: DecideChange) {
  const me = requireSignedIn(viewer);
  const discussion = await getDiscussionForUpdate(tx, me, input.discussionId);
  if (!discussionRules.resolve(me, discussion))
    throw new Refusal("not-allowed", "Only the author and the moderators can decide this.");
  const it = await change(me, discussion);
  if (it === null) return;
  await assertOwnDiscussionEditLimit(tx, me, discussion);
  await applyDiscussionChange(tx, me, discussion, it);
  // A change by the author is not moderation and therefore not audited.
  if (discussion.authorId !== me.id) await auditDiscussionChange(tx, me, discussion, it);
}

async function findAnswerPost(tx: Tx, me: SignedIn, discussionId: string, postId: string): Promise<string> {
  const post = isId(postId)
    ? await maybeOne(
        tx,
        sql<{
          id: string;
        }>`select id from posts where id = ${postId} and discussion_id = ${discussionId}
          and state = 'published' and author_id <> all(${blockedEitherWayIds(me)})`,
      )
    : undefined;
  if (!post) throw notFound();
  return post.id;
}
