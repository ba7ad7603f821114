import { run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { firstPostRules, type SignedIn, type Viewer } from "#community/rules";
import type { NewComment, NewDiscussion, NewReply } from "../discussion-inputs.ts";
import { storeComment } from "../posts/comments.ts";
import { storeReply as answerIn } from "../posts/new-replies.ts";
import { storeDiscussion } from "../posts/new-discussions.ts";
import {
  detachPendingUploads,
  getContainerIds,
  type DescribedEvent,
  type PendingCalendarEvent,
  type PendingPostContainer,
  type PendingResult,
  isPublished,
} from "./pending-post-storage.ts";
import {
  getPendingForApproval,
  alreadyDecidedRefusal,
  type PendingRow,
  toContainer,
} from "./pending-post-rows.ts";

type ApprovedPost = {
  at: PendingPostContainer;
  number: number;
  postId: string;
  author: SignedIn;
  /** The event that a new discussion describes. */
  event: PendingCalendarEvent | undefined;
};

/**
 * Publishes a pending post with the present time, as if its author had just sent it. Returns the post's
 * place.
 * @throws `not-found` for people who may not approve it, `conflict` if it was decided already or its author
 * could no longer post there
 */
export async function approvePendingPost(
  tx: Tx,
  viewer: Viewer,
  input: { pendingPostId: string },
): Promise<ApprovedPost> {
  const me = requireSignedIn(viewer);
  const pendingPost = await getPendingForApproval(tx, me, input.pendingPostId);
  const { at, number, postId } = await publishAndDelete(tx, pendingPost, () =>
    publishPending(tx, pendingPost),
  );
  const where = await getContainerIds(tx, at);
  await writeAudit(tx, me, {
    act: "post.approved",
    kind: "post",
    id: postId,
    details: { ...where, personId: pendingPost.authorId },
  });
  await emit(tx, { type: "post.approved", ...where, postId, personId: pendingPost.authorId, by: me.id });
  return { at, number, postId, author: pendingPost.author, event: pendingPost.said.event };
}

/**
 * Runs `publish`, which publishes the text as its author, and deletes the pending row.
 * @throws `conflict` if it was decided already, the author's account is not active, the group has become
 * public since, or `publish` refuses
 */
export async function publishAndDelete<Published>(
  tx: Tx,
  pendingPost: PendingRow,
  publish: () => Promise<Published>,
): Promise<Published> {
  const { id, author, visibility, group } = pendingPost;
  await detachPendingUploads(tx, id);
  if (author.state !== "active") throw cannotPublishRefusal();
  if (visibility && group && !firstPostRules.stillFor(visibility, group)) throw cannotPublishRefusal();
  const published = await publish().catch(throwConflict);
  if ((await run(tx, sql`delete from pending_posts where id = ${id} and returned_at is null`)) === 0)
    throw alreadyDecidedRefusal();
  return published;
}

/** Stored fields of an input. Which of them there are depends on the container. */
type StoredInput = Omit<z.output<typeof NewDiscussion>, "groupId"> &
  Omit<z.output<typeof NewReply>, "discussionId"> &
  Omit<z.output<typeof NewComment>, "resourceId"> &
  DescribedEvent;

async function publishPending(
  tx: Tx,
  pendingPost: PendingRow,
): Promise<{ at: PendingPostContainer; number: number; postId: string }> {
  const { author, said, clientId } = pendingPost;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored by `storePendingPost` from an input
  const input = { ...parseStoredFields(said), ...(clientId && { clientId }) } as StoredInput;
  const to = toContainer(pendingPost);
  // Resources and texts of profiles are published by other commands.
  if ("libraryOf" in to || "profileOf" in to) throw notFound();
  if ("groupId" in to) {
    const it = assertPublished(await storeDiscussion(tx, author, { ...input, ...to }, "passed"));
    return { at: { discussionId: it.id }, number: 1, postId: it.postId };
  }
  if ("discussionId" in to) {
    const it = assertPublished(await answerIn(tx, author, { ...input, ...to }, "passed"));
    return { at: { discussionId: it.discussionId }, number: it.number, postId: it.id };
  }
  const it = assertPublished(await storeComment(tx, author, { ...input, ...to }, "passed"));
  return { at: to, number: it.number, postId: it.id };
}

function assertPublished<It extends object>(it: It): Exclude<It, PendingResult> {
  if (!isPublished(it)) throw new Error("an approved post is pending again");
  return it;
}

/** Turns any refusal for the author into a conflict for the approver. */
function throwConflict(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  throw cannotPublishRefusal();
}
export const cannotPublishRefusal = () =>
  new Refusal("conflict", "This can no longer be published there. Return it with a reason.");

/** Restores the form values. Dates are stored as strings. */
const parseStoredFields = ({ pollCloses, ...said }: PendingRow["said"]) => ({
  ...said,
  ...(typeof pollCloses === "string" && { pollCloses: new Date(pollCloses) }),
});
