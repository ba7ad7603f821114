import { DAY, addMilliseconds } from "#platform/clock";
import { limit, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import {
  isContentReadable,
  isDiscussionReadable,
  groupFactsJson,
  isGroupModerator,
  isGroupReadable,
  viewerMembership,
} from "#community/groups";
import {
  firstPostRules,
  type GroupFacts,
  LIMITS,
  type SignedIn,
  type Viewer,
  type Visibility,
} from "#community/rules";
import { storeComment } from "../posts/comments.ts";
import { appendToDraft } from "../drafts/drafts.ts";
import type { PendingPostReturn } from "../discussion-inputs.ts";
import { storeReply as answerIn } from "../posts/new-replies.ts";
import { storeDiscussion } from "../posts/new-discussions.ts";
import {
  detachPendingUploads,
  type DescribedEvent,
  getContainerIds,
  type PendingCalendarEvent,
  type PendingPostContainer,
  draftTargetFor,
  type PostInput,
  type PendingResult,
} from "./post-holding.ts";

type PendingRow = {
  id: string;
  authorId: string;
  author: SignedIn & { state: string };
  groupId: string | null;
  discussionId: string | null;
  resourceId: string | null;
  said: Record<string, unknown> & DescribedEvent & { body: string };
  clientId: string | null;
  group: GroupFacts | null;
  visibility: Visibility | null;
  sees: boolean;
  sentBack: boolean;
};

/** Joins the container of the pending post, and its group, if any. */
export const joinPendingPostContainer = (
  pending: string,
  discussion: string,
  resource: string,
  group: string,
) => {
  const [h, d, s, g] = [sql.ref(pending), sql.ref(discussion), sql.ref(resource), sql.ref(group)];
  return sql`
  left join discussions ${d} on ${d}.id = ${h}.discussion_id
  left join resources ${s} on ${s}.id = ${h}.resource_id
  left join groups ${g} on ${g}.id = coalesce(${h}.group_id, ${d}.group_id, ${s}.group_id)`;
};

/**
 * Whether the viewer can read the container of the pending post. For a new discussion: whether they could
 * read a discussion that was started when the post was written.
 */
export const canSeeContainer = (
  pending: string,
  discussion: string,
  resource: string,
  group: string,
  membership: string,
) => {
  const [h, d, s] = [sql.ref(pending), sql.ref(discussion), sql.ref(resource)];
  return sql<boolean>`
  (case when ${d}.id is not null then ${isDiscussionReadable(discussion, group, membership)}
    when ${s}.id is not null then ${s}.group_id is null
    or ${isContentReadable(resource, "created_at", group, membership)}
    else ${isGroupModerator(membership)}
    or (${h}.visibility = 'public' and ${isGroupReadable(group, membership)}) end)`;
};

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
  await detachPendingUploads(tx, pendingPost.id);
  const { at, number, postId } = await publishPending(tx, pendingPost).catch(throwConflict);
  if (
    (await run(tx, sql`delete from pending_posts where id = ${pendingPost.id} and returned_at is null`)) === 0
  )
    throw alreadyDecidedRefusal();
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

/** Publishes a pending post as its author. Refuses it if the author's account is not active. */
async function publishPending(
  tx: Tx,
  pendingPost: PendingRow,
): Promise<{ at: PendingPostContainer; number: number; postId: string }> {
  const { author, said, clientId } = pendingPost;
  if (author.state !== "active") throw cannotPublishRefusal();
  if (
    pendingPost.visibility &&
    pendingPost.group &&
    !firstPostRules.stillFor(pendingPost.visibility, pendingPost.group)
  )
    throw cannotPublishRefusal();
  const input = { ...parseStoredFields(said), ...(clientId && { clientId }) } as PostInput;
  const to = toContainer(pendingPost);
  if ("groupId" in to) {
    const it = assertPublished(
      await storeDiscussion(
        tx,
        author,
        { ...input, ...to } as Parameters<typeof storeDiscussion>[2],
        "passed",
      ),
    );
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
  if ("waits" in it) throw new Error("an approved post is pending again");
  return it as Exclude<It, PendingResult>;
}

/** Turns any refusal for the author into a conflict for the approver. */
function throwConflict(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  throw cannotPublishRefusal();
}
export const cannotPublishRefusal = () =>
  new Refusal("conflict", "It can no longer be posted there. Return it with a reason.");

const alreadyDecidedRefusal = () => new Refusal("conflict", "Someone else has already decided this.");

/** Restores the form values. Dates are stored as strings. */
const parseStoredFields = ({ pollCloses, ...said }: PendingRow["said"]) => ({
  ...said,
  ...(typeof pollCloses === "string" && { pollCloses: new Date(pollCloses) }),
});

const toContainer = ({ groupId, discussionId, resourceId }: PendingRow): PendingPostContainer =>
  groupId ? { groupId } : discussionId ? { discussionId } : { resourceId: resourceId! };

/**
 * Returns a post to its author with a reason. The text is put into their draft and can be sent again.
 * @throws `not-found`, `conflict` if it was decided already
 */
export async function returnPendingPost(
  tx: Tx,
  viewer: Viewer,
  { pendingPostId, answer }: z.output<typeof PendingPostReturn>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const pendingPost = await getPendingForApproval(tx, me, pendingPostId);
  const at = toContainer(pendingPost);
  const done = await run(
    tx,
    sql`update pending_posts set returned_at = ${tx.now}, answer = ${answer}, client_id = null
      where id = ${pendingPost.id} and returned_at is null`,
  );
  if (done === 0) throw alreadyDecidedRefusal();
  await returnToDraft(tx, pendingPost);
  const where = await getContainerIds(tx, at);
  await writeAudit(tx, me, {
    act: "post.returned",
    kind: "post",
    id: pendingPost.id,
    reason: answer,
    details: { ...where, personId: pendingPost.authorId },
  });
  await emit(tx, {
    type: "post.returned",
    pendingPostId: pendingPost.id,
    ...where,
    personId: pendingPost.authorId,
    by: me.id,
  });
}

async function returnToDraft(tx: Tx, pendingPost: PendingRow): Promise<void> {
  await detachPendingUploads(tx, pendingPost.id);
  const { title, body, tags, pollOptions, pollChoice, pollResults } = pendingPost.said;
  const texts = {
    pollChoice,
    pollResults,
    tags: joinTexts(tags, ", "),
    pollOptions: joinTexts(pollOptions, "\n"),
  };
  const more = Object.fromEntries(
    Object.entries(texts).filter(([, text]) => typeof text === "string" && text !== ""),
  );
  await appendToDraft(tx, pendingPost.authorId, draftTargetFor(toContainer(pendingPost)), {
    title: typeof title === "string" ? title : "",
    body,
    more,
  });
}
const joinTexts = (them: unknown, by: string) => (Array.isArray(them) ? them.join(by) : undefined);

/**
 * Withdraws the viewer's pending post into their draft, or dismisses a returned post.
 * @throws `not-found` if it no longer exists
 */
export async function withdrawPendingPost(
  tx: Tx,
  viewer: Viewer,
  input: { pendingPostId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const pendingPost = await selectPending(tx, me, input.pendingPostId);
  if (!pendingPost || pendingPost.authorId !== me.id) throw notFound();
  if (
    (await run(
      tx,
      sql`delete from pending_posts
        where id = ${pendingPost.id} and (returned_at is not null) = ${pendingPost.sentBack}`,
    )) === 0
  )
    throw notFound();
  if (pendingPost.sentBack) return;
  await returnToDraft(tx, pendingPost);
  await emit(tx, {
    type: "post.withdrawn",
    pendingPostId: pendingPost.id,
    ...(await getContainerIds(tx, toContainer(pendingPost))),
    by: me.id,
  });
}

async function getPendingForApproval(tx: Tx, me: SignedIn, pendingPostId: string): Promise<PendingRow> {
  const pendingPost = await selectPending(tx, me, pendingPostId);
  if (!pendingPost || !firstPostRules.judge(me, pendingPost)) throw notFound();
  if (pendingPost.sentBack) throw alreadyDecidedRefusal();
  return pendingPost;
}

/**
 * The row is not locked: the write detects concurrent decisions. A lock could deadlock with the container's
 * lock.
 */
const selectPending = (tx: Tx, me: SignedIn, pendingPostId: string) =>
  isId(pendingPostId)
    ? maybeOne(
        tx,
        sql<PendingRow>`
          select h.id, h.author_id as "authorId", h.group_id as "groupId", h.discussion_id as "discussionId",
            h.resource_id as "resourceId",
            h.said, h.client_id as "clientId", h.returned_at is not null as "sentBack", h.visibility,
            ${canSeeContainer("h", "d", "s", "g", "m")} as sees,
            case when g.id is not null then ${groupFactsJson("g", "m")}
              end as "group",
            json_build_object('id', a.id, 'role', a.site_role, 'trust', a.trust, 'limited',
              a.state = 'limited', 'state', a.state) as author
          from pending_posts h join people a
            on a.id = h.author_id ${joinPendingPostContainer("h", "d", "s", "g")}
            ${viewerMembership(me, "g", "m")}
            where h.id = ${pendingPostId}`,
      )
    : undefined;

/** Rows per transaction, so that each transaction is short. */
const BATCH_SIZE = 1_000;

/**
 * For jobs: deletes returned posts after some time, and undecided posts after the retention period of
 * drafts. Detaches their pictures, and those of pending posts whose author or container was deleted. Returns
 * how many posts were deleted.
 */
export async function purgePendingPosts(tx: Tx): Promise<number> {
  const gone = await run(
    tx,
    sql`delete from pending_posts where id in (
          select id from pending_posts
          where created_at < ${addMilliseconds(tx.now, -LIMITS.pendingPosts.days * DAY)}
            or returned_at < ${addMilliseconds(tx.now, -LIMITS.pendingPosts.returnedDays * DAY)}
          order by created_at ${limit(BATCH_SIZE)} for update skip locked)`,
  );
  await run(
    tx,
    sql`update uploads u set attached_kind = null, attached_id = null
        where u.attached_kind = 'held'
          and not exists (select from pending_posts h where h.id = u.attached_id)`,
  );
  return gone;
}
