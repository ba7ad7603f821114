import { addMilliseconds, MINUTE } from "#platform/clock";
import { one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { deleteSentDraft, toStorableText } from "#community/common";
import { requireSignedIn } from "#community/friends";
import { discussionRules, LIMITS, postRules, type SignedIn, type Viewer } from "#community/rules";
import { type EditablePost, getPostForUpdate } from "./editable-post.ts";
import { type NewReaction, draftTargets, type PostEdit } from "../discussion-inputs.ts";
import { type PostContainer, postEventType, readersFor } from "./post-container.ts";
import { assertCanCorrect, markPostVisible } from "../moderation/post-hiding.ts";
import { addActivityEntry } from "../moderation/activity-entries.ts";
import { assertNoNewLinks } from "../first-posts/post-holding.ts";
import { renderWithMentions, storeTextReferences } from "./mentions.ts";
import { RESTORED_STATE, UNPINNED } from "../moderation/discussion-moderation.ts";
import { lockWriter, assertContentLimits, assertEditLimit, assertReactionLimit } from "./post-limits.ts";

/** Edits within this time of posting are not marked. */
const UNMARKED_EDIT_TIME = 5 * MINUTE;

/**
 * Edits an own post or comment within its time, or another's as a moderator with a reason; `plain` as in
 * `reply`. `version` is the version that was edited. Sending the same text twice edits once.
 * @throws `not-found`, `not-allowed`, `conflict` when the text has changed since, `invalid` on `reason` and
 * `body`, `too-many`
 */
export async function editPost(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof PostEdit>,
): Promise<{ plain: string[] }> {
  const me = requireSignedIn(viewer);
  const { post, ground } = await getPostForUpdate(tx, me, input.postId);
  const own = post.authorId === me.id;
  if (own) assertCanEdit(tx, me, post, ground);
  else if (!postRules.amend(me, post, ground.may)) throw cannotEditRefusal();
  const reason = own ? "" : (input.reason ?? "").trim();
  if (!own && reason === "") throw invalid("reason", "Enter a reason. The author will read it.");
  await run(tx, deleteSentDraft(me.id, draftTargets.post(post.id), input));
  if (post.body === input.body && post.state === "published") return { plain: [] };
  if (post.body === input.body)
    throw invalid("body", "Edit what others may have objected to. The post is then shown again.");
  if (!ground.discussion && input.body.length > LIMITS.comment)
    throw invalid("body", "The comment can have 10,000 characters at most.");
  if (post.version !== input.version)
    throw new Refusal(
      "conflict",
      "Someone else changed this post. Compare both texts, then save the one to keep.",
    );
  // Mentions and pictures follow the author's permissions, even when a moderator edits.
  const author = own ? me : await getAuthor(tx, post.id);
  const text = await renderWithMentions(tx, author, readersFor(ground), input.body, post.id);
  if (own) {
    await assertContentLimits(tx, me, text, ground.at);
    await assertNoNewLinks(tx, me, ground.may, post.body, text);
  }
  await assertEditLimit(tx, me, ground);
  await storeEdit(tx, me, post, { body: input.body, html: text.html, reason });
  if (!own)
    await writeAudit(tx, me, { act: "post.changed", kind: "post", id: post.id, reason, details: ground.at });
  await emit(tx, {
    type: postEventType(ground, "edited"),
    ...ground.at,
    postId: post.id,
    number: post.number,
    by: me.id,
  });
  if (post.state === "hidden") await markPostVisible(tx, me, ground, post);
  await storeTextReferences(tx, author, { postId: post.id, ...ground.at }, text);
  return { plain: text.plain };
}

const cannotEditRefusal = () => new Refusal("not-allowed", "You cannot edit this post.");

function assertCanEdit(tx: Tx, me: SignedIn, post: EditablePost, { may }: PostContainer) {
  if (post.state === "hidden") return assertCanCorrect(tx, me, post, { may });
  if (!postRules.edit(me, post, may)) throw cannotEditRefusal();
  const window = discussionRules.editWindow(me, may);
  if (window !== null && addMilliseconds(post.createdAt, window) < tx.now)
    throw new Refusal("not-allowed", "This post can no longer be edited.");
}

const getAuthor = (tx: Tx, postId: string) =>
  one(
    tx,
    sql<SignedIn>`
      select a.id, a.site_role as role, a.trust, a.state = 'limited' as limited from posts p join people a on a.id = p.author_id where p.id = ${postId}`,
  );

/** An edit is marked, unless the author makes it within the first minutes and no one else has edited. */
async function storeEdit(
  tx: Tx,
  me: SignedIn,
  post: EditablePost,
  { body, html, reason }: { body: string; html: string; reason: string },
) {
  const marked =
    post.authorId !== me.id || post.edited || addMilliseconds(post.createdAt, UNMARKED_EDIT_TIME) < tx.now;
  if (marked)
    await run(
      tx,
      sql`insert into post_revisions (post_id, body_md, replaced_at, replaced_by, reason)
          select id, body_md, ${tx.now}, ${me.id}, ${reason} from posts where id = ${post.id}`,
    );
  await run(
    tx,
    sql`update posts set body_md = ${body}, body_html = ${html}, version = version + 1, edited_at = ${marked ? tx.now : sql`edited_at`} where id = ${post.id}`,
  );
}

/**
 * Deletes an own post, or removes another's as a moderator with a reason. A tombstone keeps its number; a
 * discussion without replies is deleted with its only post.
 * @throws `not-found`, `not-allowed`, `invalid` on `reason`
 */
export async function deletePost(
  tx: Tx,
  viewer: Viewer,
  input: { postId: string; reason?: string | undefined },
): Promise<{ discussionGone: boolean }> {
  const me = requireSignedIn(viewer);
  const { post, ground } = await getPostForUpdate(tx, me, input.postId);
  if (post.state !== "published" && post.state !== "hidden") throw notFound();
  const own = post.authorId === me.id;
  if (!postRules.take(me, post, ground.may))
    throw new Refusal("not-allowed", "Only the author and the moderators can remove this post.");
  const reason = own
    ? ""
    : toStorableText(input.reason ?? "")
        .trim()
        .slice(0, LIMITS.reason);
  if (!own && reason === "") throw invalid("reason", "Enter a reason. The author will read it.");
  await removePost(tx, me, ground, post, reason);
  return { discussionGone: post.isOnly };
}

type RemovablePost = Pick<EditablePost, "id" | "number" | "authorId" | "isOnly">;

/**
 * Removes a published post and emits the event; audits the removal of another's post. The caller has checked
 * permission.
 */
export async function removePost(
  tx: Tx,
  me: SignedIn,
  { at }: Pick<PostContainer, "at">,
  post: RemovablePost,
  reason: string,
): Promise<void> {
  const own = post.authorId === me.id;
  await run(
    tx,
    sql`update posts set state = ${own ? "deleted_by_author" : "removed"}, removed_at = ${tx.now}, removed_by = ${me.id}, removed_reason = ${reason} where id = ${post.id}`,
  );
  if ("discussionId" in at && post.isOnly) {
    await run(
      tx,
      sql`update discussions set state = 'deleted', deleted_at = ${tx.now}, deleted_by = ${me.id}, ${UNPINNED} where id = ${at.discussionId}`,
    );
    await emit(tx, { type: "discussion.deleted", ...at, by: me.id });
  } else await adjustCount(tx, at, post, -1);
  if ("discussionId" in at) await clearAnswer(tx, me, at, [post.id]);
  if (!own) await writeAudit(tx, me, { act: "post.removed", kind: "post", id: post.id, reason, details: at });
  const type = postEventType({ at }, own ? "deleted" : "removed");
  await emit(tx, { type, ...at, postId: post.id, number: post.number, by: me.id });
}

/** Clears the accepted answer if it is one of these posts. Restoring a post does not mark it again. */
export async function clearAnswer(
  tx: Tx,
  me: { id: string },
  at: { discussionId: string; groupId: string },
  postIds: string[],
): Promise<void> {
  const reopened = await run(
    tx,
    sql`update discussions set resolved_at = null, resolved_by = null, answer_id = null where id = ${at.discussionId} and answer_id = any(${postIds}::uuid[])`,
  );
  if (reopened === 0) return;
  await addActivityEntry(tx, me, { discussionId: at.discussionId, kind: "reopened" });
  await emit(tx, { type: "discussion.reopened", ...at, by: me.id });
}

/** Counts replies and comments, not the first post of a discussion. */
async function adjustCount(tx: Tx, at: PostContainer["at"], post: Pick<RemovablePost, "number">, by: 1 | -1) {
  if ("resourceId" in at)
    await run(
      tx,
      sql`update resources set comments_count = greatest(comments_count + ${by}, 0) where id = ${at.resourceId}`,
    );
  else if (post.number > 1)
    await run(
      tx,
      sql`update discussions set posts_count = posts_count + ${by} where id = ${at.discussionId}`,
    );
}

/**
 * Restores a removed post within 30 days.
 * @throws `not-found` for one that was not removed, `not-allowed`, `invalid` on `reason`, `gone` when its
 * text is purged
 */
export async function restorePost(
  tx: Tx,
  viewer: Viewer,
  input: { postId: string; reason: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const { post, ground } = await getPostForUpdate(tx, me, input.postId);
  if (!ground.may.moderate) throw new Refusal("not-allowed", "Only moderators of the group can do this.");
  if (post.state !== "removed") throw notFound();
  if (!input.reason.trim()) throw invalid("reason", "Enter a reason. The author will read it.");
  if (post.body === "") throw new Refusal("gone", "The text of this post is no longer stored.");
  await reinstatePost(tx, me, ground, post, input.reason.trim().slice(0, LIMITS.reason));
}

/**
 * Restores a removed post, and its discussion if it is the only post; emits the event and audits it with the
 * reason. The caller has checked permission.
 */
export async function reinstatePost(
  tx: Tx,
  me: SignedIn,
  { at }: Pick<PostContainer, "at">,
  post: Pick<RemovablePost, "id" | "number" | "isOnly">,
  reason: string,
): Promise<void> {
  if ("discussionId" in at && post.isOnly) await restoreDiscussionOfPost(tx, me, at);
  await run(
    tx,
    sql`update posts set state = 'published', removed_at = null, removed_by = null, removed_reason = '', hidden_at = null, unhidden_at = ${tx.now} where id = ${post.id}`,
  );
  await adjustCount(tx, at, post, 1);
  await writeAudit(tx, me, {
    act: "post.restored",
    kind: "post",
    id: post.id,
    reason: reason || null,
    details: at,
  });
  await emit(tx, {
    type: postEventType({ at }, "restored"),
    ...at,
    postId: post.id,
    number: post.number,
    by: me.id,
  });
}

/** A discussion deleted with its only post returns in its former state. */
async function restoreDiscussionOfPost(
  tx: Tx,
  me: SignedIn,
  at: { discussionId: string; groupId: string },
): Promise<void> {
  const back = await run(
    tx,
    sql`update discussions set ${RESTORED_STATE} where id = ${at.discussionId} and state = 'deleted'`,
  );
  if (back > 0) await emit(tx, { type: "discussion.restored", ...at, by: me.id });
}

/**
 * Adds a reaction; adding it twice counts once.
 * @throws `not-found`, `not-allowed`, `too-many` above fifty in a day
 */
export async function addReaction(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewReaction>,
): Promise<void> {
  const { me, post, ground } = await getPostToReactTo(tx, viewer, input.postId);
  await lockWriter(tx, me);
  const added = await run(
    tx,
    sql`insert into reactions (post_id, person_id, emoji, created_at) values (${post.id}, ${me.id}, ${input.emoji}, ${tx.now}) on conflict do nothing`,
  );
  if (added === 0) return;
  await assertReactionLimit(tx, me);
  await emit(tx, {
    type: postEventType(ground, "reacted"),
    ...ground.at,
    postId: post.id,
    emoji: input.emoji,
    by: me.id,
  });
}

export async function removeReaction(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewReaction>,
): Promise<void> {
  const { me, post, ground } = await getPostToReactTo(tx, viewer, input.postId);
  const gone = await run(
    tx,
    sql`delete from reactions where post_id = ${post.id} and person_id = ${me.id} and emoji = ${input.emoji}`,
  );
  if (gone > 0)
    await emit(tx, {
      type: postEventType(ground, "unreacted"),
      ...ground.at,
      postId: post.id,
      emoji: input.emoji,
      by: me.id,
    });
}

async function getPostToReactTo(tx: Tx, viewer: Viewer, postId: string) {
  const me = requireSignedIn(viewer);
  const { post, ground } = await getPostForUpdate(tx, me, postId);
  if (!ground.may.react) throw new Refusal("not-allowed", "Only members can react here.");
  if (post.parted || discussionRules.stub(me, post, false))
    throw new Refusal("not-allowed", "You cannot react to this post.");
  return { me, post, ground };
}
