import { one, maybeOne, run, sql, type Tx } from "#platform/database";
import { parseText } from "#platform/markup";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { deleteSentDraft } from "#community/common";
import { type ApprovalMode, firstPostRules, LIMITS, type SignedIn } from "#community/rules";
import {
  type ApprovalReason,
  type CheckedText,
  checkWatchedWords,
  isRepeatedText,
} from "#community/prevention";
import { newcomerReviewSetting } from "#community/settings";
import { type NewComment, type NewDiscussion, type NewReply, draftTargets } from "../discussion-inputs.ts";
import { type RenderedText, PREVIEW_ID } from "../posts/mentions.ts";
import { assertPoll } from "../polls/poll-votes.ts";

export type PendingPostContainer = { groupId: string } | { discussionId: string } | { resourceId: string };
/** Details of the event that a discussion describes. The calendar stores it once the text is approved. */
export type PendingCalendarEvent = {
  startsAt: string;
  endsAt: string;
  allDay: boolean;
  timeZone: string;
  place: string;
} & Record<string, unknown>;
export type DescribedEvent = { event?: PendingCalendarEvent };
export type PostInput =
  | (z.output<typeof NewDiscussion> & DescribedEvent)
  | z.output<typeof NewReply>
  | z.output<typeof NewComment>;
/**
 * Result for a post that is stored until it is approved. `waits` is its id, `plain` lists unresolved
 * mentions.
 */
export type PendingResult = { waits: string; plain: string[] };
/** Approval stage: `first` checks whether approval is needed, `passed` skips the check. */
export type ApprovalStage = "first" | "passed";

/**
 * Returns a published post, for clients that cannot show a pending post.
 * @throws `not-allowed` for a pending post, which is then not stored
 */
export function requirePublished<It extends object>(it: It): Exclude<It, PendingResult> {
  if ("waits" in it)
    throw new Refusal(
      "not-allowed",
      "Posts of new members need approval here. Write your post on the website, where it can " +
        "wait for approval.",
    );
  return it as Exclude<It, PendingResult>;
}

/**
 * Checks a new text for watched words and link domains, and whether new accounts repeat it. An approved text is
 * not checked again.
 */
export async function checkNewText<
  Name extends string,
  Input extends Partial<Record<Name, string | string[]>> & { body: string },
>(
  tx: Tx,
  me: SignedIn,
  input: Input,
  names: readonly Name[],
  stage: ApprovalStage,
): Promise<CheckedText<Input>> {
  if (stage === "passed") return { input, waitsFor: null, flagged: null };
  const checked = await checkWatchedWords(tx, me, input, names, { canWait: true });
  const isRepeated = await isRepeatedText(tx, me, input.body);
  return { ...checked, waitsFor: checked.waitsFor ?? (isRepeated ? { kind: "repeat" } : null) };
}

/**
 * Whether a text by `me` needs approval before it is published: by the site setting for newcomers, or because
 * of a watched word, a link or a repeated text. People who moderate the place are exempt.
 */
export async function needsApproval(
  tx: Tx,
  me: SignedIn,
  can: { moderate: boolean },
  { linksOut }: Pick<RenderedText, "linksOut">,
  reason: ApprovalReason | null,
): Promise<boolean> {
  if (reason && !can.moderate) return true;
  if (!firstPostRules.concerns(me, can)) return false;
  const { look, ...known } = await one(
    tx,
    sql<{ look: ApprovalMode; before: boolean; reportedBy: number }>`
      select ${newcomerReviewSetting} as look, exists (select from posts
        where author_id = ${me.id} and state = 'published') as before,
        (select count(distinct r.reporter_id)::int from posts p
        join reports r on r.post_id = p.id and not r.appeal
         where p.author_id = ${me.id} and (r.resolved_at is null or r.outcome = 'upheld')) as "reportedBy"`,
  );
  return firstPostRules.waits(me, look, can, { linksOut, ...known });
}

/**
 * Refuses links that a newcomer adds by editing, because edits are not approved.
 * @throws `invalid` on `body`
 */
export async function assertNoNewLinks(
  tx: Tx,
  me: SignedIn,
  can: { moderate: boolean },
  before: string,
  now: RenderedText,
): Promise<void> {
  const links = { before: parseText(before, PREVIEW_ID).linksOut, now: now.linksOut };
  // The strictest setting is checked first: most edits add no links and need no query for the actual
  // setting.
  if (!firstPostRules.addsLinks(me, "all", can, links)) return;
  const { look } = await one(tx, sql<{ look: ApprovalMode }>`select ${newcomerReviewSetting} as look`);
  if (firstPostRules.addsLinks(me, look, can, links))
    throw invalid(
      "body",
      "Links of new members need approval here. Post the link in a new reply, which can wait " +
        "for approval.",
    );
}

/**
 * Stores a text until a moderator decides about it, once per client id. The caller holds the writer lock.
 * @throws `too-many` if three posts are pending already, `invalid` on a poll field
 */
export async function storePendingPost(
  tx: Tx,
  me: SignedIn,
  at: PendingPostContainer,
  input: PostInput,
  text: RenderedText,
  reason: ApprovalReason | null,
): Promise<PendingResult> {
  const sent = await findSubmittedPending(tx, me, input);
  if (sent?.same) return { waits: sent.id, plain: text.plain };
  if ("pollOptions" in input) assertPoll(tx, input);
  await assertPendingLimit(tx, me);
  const id = tx.newId();
  const fields = toStoredFields(input);
  await run(
    tx,
    sql`with answered as (
          delete from pending_posts
          where author_id = ${me.id} and returned_at is not null
            and ${isPendingPostInContainer("pending_posts", at)}),
        draft as (${deleteSentDraft(me.id, draftTargetFor(at), input)})
        insert into pending_posts (id, author_id, group_id, discussion_id, resource_id, visibility, said,
          body_html, client_id, approval_reason, created_at)
        values (${id}, ${me.id}, ${containerId(at, "groupId")}, ${containerId(at, "discussionId")},
          ${containerId(at, "resourceId")},
          (select visibility from groups where id = ${containerId(at, "groupId")}),
          ${JSON.stringify(fields)}::jsonb, ${text.html}, ${sent ? null : (input.clientId ?? null)},
          ${reason && JSON.stringify(reason)}::jsonb, ${tx.now})`,
  );
  await run(
    tx,
    sql`update uploads set attached_kind = 'held', attached_id = ${id}
      where id = any(${text.pictures}::uuid[]) and owner_id = ${me.id} and attached_kind is null`,
  );
  await emit(tx, { type: "post.pending", pendingPostId: id, ...(await getContainerIds(tx, at)), by: me.id });
  return { waits: id, plain: text.plain };
}

/** The input without container, draft version and client id. */
function toStoredFields(input: PostInput): object {
  const { clientId: _, draftVersion: __, ...fields } = input;
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !["groupId", "discussionId", "resourceId"].includes(name)),
  );
}

/**
 * The pending post with this client id. `same` is false if the text differs: it was edited on a restored
 * page.
 */
const findSubmittedPending = (tx: Tx, me: SignedIn, { clientId, body }: PostInput) =>
  clientId === undefined
    ? undefined
    : maybeOne(
        tx,
        sql<{ id: string; same: boolean }>`
          select id, said->>'body' = ${body} as same from pending_posts
          where author_id = ${me.id} and client_id = ${clientId}`,
      );

async function assertPendingLimit(tx: Tx, me: SignedIn): Promise<void> {
  const { waiting } = await one(
    tx,
    sql<{
      waiting: number;
    }>`select count(*)::int as waiting from pending_posts where author_id = ${me.id} and returned_at is null`,
  );
  if (waiting >= LIMITS.pendingPosts.most)
    throw new Refusal(
      "too-many",
      "Three of your posts wait for approval. You can send more once one of them is decided.",
    );
}

const containerId = (at: PendingPostContainer, name: "groupId" | "discussionId" | "resourceId") =>
  name in at ? (at as Record<string, string>)[name]! : null;

/** Condition: the pending post in the row with this alias belongs to the container. */
export const isPendingPostInContainer = (row: string, at: PendingPostContainer) => {
  const h = sql.ref(row);
  if ("groupId" in at) return sql<boolean>`${h}.group_id = ${at.groupId}`;
  return "discussionId" in at
    ? sql<boolean>`${h}.discussion_id = ${at.discussionId}`
    : sql<boolean>`${h}.resource_id = ${at.resourceId}`;
};

/** The draft target of the container. */
export const draftTargetFor = (at: PendingPostContainer): string =>
  "groupId" in at
    ? draftTargets.group(at.groupId)
    : "discussionId" in at
      ? draftTargets.discussion(at.discussionId)
      : draftTargets.resource(at.resourceId);

/** Container ids for a domain event: the group, if any, and the existing discussion or resource. */
export async function getContainerIds(
  tx: Tx,
  at: PendingPostContainer,
): Promise<{ groupId: string | null; discussionId?: string; resourceId?: string }> {
  if ("groupId" in at) return at;
  const { groupId } = await one(
    tx,
    "discussionId" in at
      ? sql<{
          groupId: string | null;
        }>`select group_id as "groupId" from discussions where id = ${at.discussionId}`
      : sql<{
          groupId: string | null;
        }>`select group_id as "groupId" from resources where id = ${at.resourceId}`,
  );
  return { groupId, ...at };
}

/**
 * Detaches the pictures, so that they count as new uploads: another text may show them; otherwise they are
 * deleted after two days.
 */
export const detachPendingUploads = (tx: Tx, pendingPostId: string) =>
  run(
    tx,
    sql`update uploads set attached_kind = null, attached_id = null, created_at = ${tx.now}
      where attached_kind = 'held' and attached_id = ${pendingPostId}`,
  );
