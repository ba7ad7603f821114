import { type Db, maybeOne, one, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { deleteSentDraft } from "#community/common";
import { blockedEitherWayIds, requireSignedIn } from "#community/friends";
import { reportFlaggedText } from "#community/prevention";
import { LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { checkNewText, type ApprovalStage, needsApproval } from "../first-posts/approval-checks.ts";
import {
  requirePublished,
  storePendingPost,
  type PendingResult,
} from "../first-posts/pending-post-storage.ts";
import { type NewComment, draftTargets } from "../discussion-inputs.ts";
import {
  type CommentTarget,
  cannotPostRefusal,
  getContainer,
  resourceContainer,
  readersFor,
} from "./post-container.ts";
import { renderWithMentions, storeTextReferences } from "./mentions.ts";
import { assertContentLimits, assertCommentLimit } from "./post-limits.ts";
import { listPostsWhere, type PostView } from "./post-queries.ts";

export type CommentsPage = {
  comments: PostView[];
  /** Number of the comment that precedes the first comment of the page. */ after: number;
  more: boolean;
};

/**
 * A page of 20 comments on a resource that the viewer has loaded: the comments after a number, or those
 * around a comment.
 * @throws `not-found` if they may not see it
 */
export async function listComments(
  db: Db,
  viewer: Viewer,
  resource: CommentTarget,
  query: { after?: number; post?: number } = {},
): Promise<CommentsPage> {
  const container = resourceContainer(viewer, resource, 0);
  if (!container.can.see) throw notFound();
  const size = LIMITS.page.posts;
  const whole = (value: number | undefined) =>
    Math.min(2 ** 31 - size - 2, Math.max(0, Math.trunc(value ?? 0) || 0));
  const post = whole(query.post);
  const after = post > 0 ? Math.floor((post - 1) / size) * size : whole(query.after);
  const rows = await listPostsWhere(
    db,
    viewer,
    container,
    sql`p.resource_id = ${resource.id} and p.number > ${after} and p.number <= ${after + size + 1}`,
  );
  return {
    comments: rows.filter(({ number }) => number <= after + size),
    after,
    more: rows.some(({ number }) => number > after + size),
  };
}

/** Number of the last comment on a resource the viewer has loaded; 0 without comments. */
export const getLastCommentNumber = async (db: Db, { id }: Pick<CommentTarget, "id">): Promise<number> =>
  (
    await one(
      db,
      sql<{ last: number }>`select coalesce(max(number), 0) as last from posts where resource_id = ${id}`,
    )
  ).last;

type StoredComment = { id: string; number: number; plain: string[] };

/**
 * Adds a comment to a resource; stored once per `clientId`. `plain` lists unresolved mentions.
 * @throws `not-found`, `not-allowed` (also for a newcomer's text that needs approval), `too-many` above the
 * rate limit, `conflict` while the same comment is being sent elsewhere, `invalid` on `body` for too many
 * links or pictures
 */
export const addComment = async (
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewComment>,
): Promise<StoredComment> => requirePublished(await addCommentOrAwaitApproval(tx, viewer, input));

/**
 * Like `addComment`, but stores a text that needs approval as a pending post (`waits`).
 * @throws `too-many` for too many pending posts
 */
export const addCommentOrAwaitApproval = (
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewComment>,
): Promise<StoredComment | PendingResult> => storeComment(tx, requireSignedIn(viewer), input, "first");

/** Approved posts (`passed`) are exempt from rate limits. */
export async function storeComment(
  tx: Tx,
  me: SignedIn,
  uncheckedInput: z.output<typeof NewComment>,
  stage: ApprovalStage,
): Promise<StoredComment | PendingResult> {
  const container = await getContainer(tx, me, uncheckedInput.resourceId, "lock");
  const { input, waitsFor, flagged } = await checkNewText(tx, me, uncheckedInput, ["body"], stage);
  const sent = await findSubmittedComment(tx, me, input);
  if (sent?.same) return { id: sent.id, number: sent.number, plain: [] };
  if (!container.can.reply) throw cannotPostRefusal(me, container);
  if (stage === "first") await assertCommentLimit(tx, me, container);
  const id = tx.newId();
  const text = await renderWithMentions(tx, me, readersFor(container), input.body, id);
  await assertContentLimits(tx, me, text, container.at);
  if (stage === "first" && (await needsApproval(tx, me, container.can, text, waitsFor)))
    return storePendingPost(tx, me, { resourceId: input.resourceId }, input, text, waitsFor);
  const number = container.lastNumber + 1;
  const row = { ...input, id, number, html: text.html, clientId: sent ? null : (input.clientId ?? null) };
  if (!(await maybeOne(tx, insertComment(tx, me, row))))
    throw new Refusal("conflict", "This is already being sent elsewhere.");
  await emit(tx, { type: "comment.written", ...container.at, postId: id, number, by: me.id });
  await storeTextReferences(tx, me, { postId: id, ...container.at }, text);
  await reportFlaggedText(tx, me.id, flagged, { postId: id });
  return { id, number, plain: text.plain };
}

type CommentRow = {
  id: string;
  resourceId: string;
  number: number;
  replyTo?: string | undefined;
  body: string;
  html: string;
  clientId: string | null;
  draftVersion?: number | undefined;
};

const insertComment = (tx: Tx, me: SignedIn, commentRow: CommentRow) => sql`
  with written as (
    insert into posts (id, resource_id, number, author_id, reply_to, body_md, body_html, client_id,
      created_at)
    values (${commentRow.id}, ${commentRow.resourceId}, ${commentRow.number}, ${me.id},
      ${repliedCommentId(me, commentRow)}, ${commentRow.body}, ${commentRow.html},
      ${commentRow.clientId}, ${tx.now})
    on conflict (author_id, client_id) where client_id is not null do nothing
    returning id),
  counted as (
    update resources set comments_count = comments_count + 1, last_comment_at = ${tx.now} from written
    where resources.id = ${commentRow.resourceId}),
  draft as (${deleteSentDraft(me.id, draftTargets.resource(commentRow.resourceId), commentRow)})
  select id from written`;

/** The comment that is replied to, if it is on the same resource and no block separates the authors. */
const repliedCommentId = (me: SignedIn, { replyTo, resourceId }: CommentRow) =>
  replyTo === undefined
    ? sql`null`
    : sql`(select q.id from posts q
      where q.id = ${replyTo} and q.resource_id = ${resourceId}
        and q.author_id <> all(${blockedEitherWayIds(me)}))`;

/**
 * The comment stored earlier for this submission; `same` is true unless the text differs. Locks the
 * resource.
 */
const findSubmittedComment = (
  tx: Tx,
  me: SignedIn,
  { clientId, resourceId, body }: z.output<typeof NewComment>,
) =>
  clientId === undefined
    ? undefined
    : maybeOne(
        tx,
        sql<{ id: string; number: number; same: boolean }>`
          select id, number, resource_id = ${resourceId} and body_md = ${body} is true as same from posts
          where author_id = ${me.id} and client_id = ${clientId}`,
      );
