import { addMilliseconds, MINUTE } from "#platform/clock";
import { one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { deleteSentDraft } from "#community/common";
import { requireSignedIn } from "#community/friends";
import { checkWatchedWords, reportFlaggedText } from "#community/prevention";
import { discussionRules, LIMITS, postRules, type SignedIn, type Viewer } from "#community/rules";
import { type EditablePost, getPostForUpdate } from "./editable-post.ts";
import { draftTargets, type PostEdit } from "../discussion-inputs.ts";
import { type PostContainer, postEventType, readersFor } from "./post-container.ts";
import { assertCanEditHiddenPost, markPostVisible } from "../moderation/post-hiding.ts";
import { assertNoNewLinks } from "../first-posts/approval-checks.ts";
import { resubmitReturnedPost } from "../first-posts/returned-posts.ts";
import { renderWithMentions, storeTextReferences } from "./mentions.ts";
import { assertContentLimits, assertEditLimit } from "./post-limits.ts";

/** Edits within this time after posting are not marked as edits. */
const UNMARKED_EDIT_TIME = 5 * MINUTE;

/**
 * Edits the viewer's own post or comment within the time for edits, or another person's post as a moderator
 * with a reason; `plain` as in `reply`. `version` is the version that was edited. A retry with the same text
 * does not edit again.
 * @throws `not-found`, `not-allowed`, `conflict` when the text has changed since, `invalid` on `reason` and
 * `body`, `too-many`
 */
export async function editPost(
  tx: Tx,
  viewer: Viewer,
  uncheckedInput: z.output<typeof PostEdit>,
): Promise<{ plain: string[] }> {
  const me = requireSignedIn(viewer);
  const { post, container } = await getPostForUpdate(tx, me, uncheckedInput.postId);
  const own = post.authorId === me.id;
  const { input, flagged } = await checkWatchedWords(tx, me, uncheckedInput, ["body"], {
    before: post,
    canWait: false,
  });
  if (own) assertCanEdit(tx, me, post, container);
  else if (!postRules.amend(me, post, container.can)) throw cannotEditRefusal();
  const reason = own ? "" : (input.reason ?? "").trim();
  if (!own && reason === "") throw invalid("reason", "Enter a reason. The author will read it.");
  await run(tx, deleteSentDraft(me.id, draftTargets.post(post.id), input));
  if (post.body === input.body && post.state === "published") return { plain: [] };
  if (post.body === input.body && post.returnedAt !== null)
    throw invalid("body", "Change the text first. A moderator then reviews it again.");
  if (post.body === input.body)
    throw invalid("body", "Edit the part that others may have objected to. The post is then shown again.");
  if (!container.discussion && input.body.length > LIMITS.comment)
    throw invalid("body", "The comment can have 10,000 characters at most.");
  if (post.version !== input.version)
    throw new Refusal(
      "conflict",
      "Someone else changed this post. Compare both texts, then save the one to keep.",
    );
  // Mentions and pictures depend on the author's permissions, even when a moderator edits.
  const author = own ? me : await getAuthor(tx, post.id);
  const text = await renderWithMentions(tx, author, readersFor(container), input.body, post.id);
  if (own) {
    await assertContentLimits(tx, me, text, container.at);
    if (post.returnedAt === null) await assertNoNewLinks(tx, me, container.can, post.body, text);
  }
  await assertEditLimit(tx, me, container);
  await storeEdit(tx, me, post, { body: input.body, html: text.html, reason });
  if (!own)
    await writeAudit(tx, me, {
      act: "post.changed",
      kind: "post",
      id: post.id,
      reason,
      details: container.at,
    });
  await emit(tx, {
    type: postEventType(container, "edited"),
    ...container.at,
    postId: post.id,
    number: post.number,
    by: me.id,
  });
  if (post.returnedAt !== null)
    await resubmitReturnedPost(tx, me, container, { ...post, body: input.body, html: text.html });
  else if (post.state === "hidden") await markPostVisible(tx, me, container, post);
  await storeTextReferences(tx, author, { postId: post.id, ...container.at }, text);
  await reportFlaggedText(tx, me.id, flagged, { postId: post.id });
  return { plain: text.plain };
}

const cannotEditRefusal = () => new Refusal("not-allowed", "You cannot edit this post.");

function assertCanEdit(tx: Tx, me: SignedIn, post: EditablePost, { can }: PostContainer) {
  if (post.state === "hidden") return assertCanEditHiddenPost(tx, me, post, { can });
  if (!postRules.edit(me, post, can)) throw cannotEditRefusal();
  const window = discussionRules.editWindow(me, can);
  if (window !== null && addMilliseconds(post.createdAt, window) < tx.now)
    throw new Refusal("not-allowed", "This post can no longer be edited.");
}

const getAuthor = (tx: Tx, postId: string) =>
  one(
    tx,
    sql<SignedIn>`
      select a.id, a.site_role as role, a.trust, a.state = 'limited' as limited from posts p
      join people a on a.id = p.author_id where p.id = ${postId}`,
  );

/**
 * Stores an edit. The post is marked as edited unless the author edits within the first minutes and no one
 * else has edited before.
 */
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
    sql`update posts set body_md = ${body}, body_html = ${html}, version = version + 1,
      edited_at = ${marked ? tx.now : sql`edited_at`} where id = ${post.id}`,
  );
}
