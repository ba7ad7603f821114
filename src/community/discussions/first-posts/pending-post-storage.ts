import { one, maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { deleteSentDraft } from "#community/common";
import { LIMITS, type ResourceKind, type SignedIn } from "#community/rules";
import type { ApprovalReason } from "#community/prevention";
import { type NewComment, type NewDiscussion, type NewReply, draftTargets } from "../discussion-inputs.ts";
import type { RenderedText } from "../posts/mentions.ts";
import { assertPoll } from "../polls/poll-votes.ts";
import { isChangeOfContent } from "./pending-post-rows.ts";

/**
 * Where the text will appear; `libraryOf` is the group of a new resource, null for a site-wide one; `profileOf`
 * is the author.
 */
export type PendingPostContainer =
  | { groupId: string }
  | { discussionId: string }
  | { resourceId: string }
  | { libraryOf: string | null }
  | { profileOf: string };
/** Details of the event that a discussion describes. The calendar stores it once the text is approved. */
export type PendingCalendarEvent = {
  startsAt: string;
  endsAt: string;
  allDay: boolean;
  timeZone: string;
  place: string;
} & Record<string, unknown>;
export type DescribedEvent = { event?: PendingCalendarEvent };
/** A resource that is added once it is approved, with its fields. */
export type PendingResource = {
  title: string;
  body: string;
  tags: string[];
  draftVersion?: number | undefined;
  resource: {
    kind: ResourceKind;
    body: string;
    why: string;
    language: string;
    licence: string;
    url?: string | undefined;
    uploadId?: string | undefined;
    postId?: string | undefined;
  };
};
export type PostInput =
  | PendingResource
  | (z.output<typeof NewDiscussion> & DescribedEvent)
  | z.output<typeof NewReply>
  | z.output<typeof NewComment>;
/**
 * Result for a post that is stored until it is approved. `waits` is its id, `plain` lists unresolved
 * mentions.
 */
export type PendingResult = { waits: string; plain: string[] };

/** Whether a post was published at once. */
export const isPublished = <It extends object>(it: It): it is Exclude<It, PendingResult> => !("waits" in it);

/**
 * Returns a published post, for clients that cannot show a pending post.
 * @throws `not-allowed` for a pending post, which is then not stored
 */
export function requirePublished<It extends object>(it: It): Exclude<It, PendingResult> {
  if (!isPublished(it))
    throw new Refusal(
      "not-allowed",
      "Posts of new members need approval here. Write your post on the website, where it can " +
        "wait for approval.",
    );
  return it;
}

/**
 * Stores a text until a moderator decides about it, once per client id. The caller holds the writer lock.
 * @throws `too-many` if three posts are pending already, `invalid` on a poll field
 */
export async function storePendingPost(
  tx: Tx,
  me: SignedIn,
  at: Exclude<PendingPostContainer, { profileOf: string }>,
  input: PostInput,
  text: Pick<RenderedText, "html" | "pictures" | "plain">,
  reason: ApprovalReason | null,
): Promise<PendingResult> {
  const sent = await findSubmittedPending(tx, me, input);
  if (sent?.same) return { waits: sent.id, plain: text.plain };
  if ("pollOptions" in input) assertPoll(tx, input);
  await assertPendingLimit(tx, me);
  const id = tx.newId();
  const fields = toStoredFields(input);
  const groupId = containerId(at, "groupId") ?? containerId(at, "libraryOf");
  const clientId = "clientId" in input ? (input.clientId ?? null) : null;
  await run(
    tx,
    sql`with answered as (
          delete from pending_posts
          where author_id = ${me.id} and returned_at is not null and not ${isChangeOfContent("pending_posts")}
            and ${isPendingPostInContainer("pending_posts", at)}),
        draft as (${deleteSentDraft(me.id, draftTargetFor(at), input)})
        insert into pending_posts (id, author_id, group_id, discussion_id, resource_id, visibility, said,
          body_html, client_id, approval_reason, created_at)
        values (${id}, ${me.id}, ${groupId}, ${containerId(at, "discussionId")},
          ${containerId(at, "resourceId")}, (select visibility from groups where id = ${groupId}),
          ${JSON.stringify(fields)}::jsonb, ${text.html}, ${sent ? null : clientId},
          ${reason && JSON.stringify(reason)}::jsonb, ${tx.now})`,
  );
  await run(
    tx,
    sql`update uploads set attached_kind = 'held', attached_id = ${id}
      where id = any(${text.pictures}::uuid[]) and owner_id = ${me.id} and attached_kind is null`,
  );
  await emit(tx, {
    type: "post.pending",
    pendingPostId: id,
    ...(await getContainerIds(tx, at)),
    isResource: "libraryOf" in at,
    by: me.id,
  });
  return { waits: id, plain: text.plain };
}

/** The input without container, draft version and client id. */
function toStoredFields(input: PostInput): object {
  const { clientId: _, draftVersion: __, ...fields } = input as PostInput & { clientId?: string };
  const omitted = ["groupId", "discussionId", "resourceId", ...("resource" in input ? ["body"] : [])];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !omitted.includes(name)));
}

/**
 * The pending post with this client id. `same` is false if the text differs: it was edited on a restored
 * page.
 */
const findSubmittedPending = (tx: Tx, me: SignedIn, input: PostInput) =>
  !("clientId" in input) || input.clientId === undefined
    ? undefined
    : maybeOne(
        tx,
        sql<{ id: string; same: boolean }>`
          select id, said->>'body' = ${input.body} as same from pending_posts
          where author_id = ${me.id} and client_id = ${input.clientId}`,
      );

async function assertPendingLimit(tx: Tx, me: SignedIn): Promise<void> {
  const { waiting } = await one(
    tx,
    sql<{
      waiting: number;
    }>`select count(*)::int as waiting from pending_posts
      where author_id = ${me.id} and returned_at is null and not ${isChangeOfContent("pending_posts")} and said->'profile' is null`,
  );
  if (waiting >= LIMITS.pendingPosts.most)
    throw new Refusal(
      "too-many",
      "Three of your posts or resources wait for approval. You can send more once one of them is decided.",
    );
}

const containerId = (
  at: PendingPostContainer,
  name: "groupId" | "discussionId" | "resourceId" | "libraryOf",
): string | null => (at as Partial<Record<string, string | null>>)[name] ?? null;

/** Condition: the pending post in the row with this alias belongs to the container. */
export const isPendingPostInContainer = (row: string, at: PendingPostContainer) => {
  const h = sql.ref(row);
  if ("profileOf" in at)
    return sql<boolean>`(${h}.said->'profile' is not null and ${h}.author_id = ${at.profileOf})`;
  if ("libraryOf" in at)
    return sql<boolean>`(${h}.said->'resource' is not null and ${h}.group_id is not distinct from ${at.libraryOf})`;
  if ("groupId" in at) return sql<boolean>`(${h}.group_id = ${at.groupId} and ${h}.said->'resource' is null)`;
  return "discussionId" in at
    ? sql<boolean>`${h}.discussion_id = ${at.discussionId}`
    : sql<boolean>`${h}.resource_id = ${at.resourceId}`;
};

/** The draft target of the container. Documents are the resources that have drafts. */
export const draftTargetFor = (at: Exclude<PendingPostContainer, { profileOf: string }>): string =>
  "libraryOf" in at
    ? draftTargets.newResource
    : "groupId" in at
      ? draftTargets.group(at.groupId)
      : "discussionId" in at
        ? draftTargets.discussion(at.discussionId)
        : draftTargets.resource(at.resourceId);

/** Container ids for a domain event: the group, if any, and the existing discussion or resource. */
export async function getContainerIds(
  tx: Tx,
  at: PendingPostContainer,
): Promise<{ groupId: string | null; discussionId?: string; resourceId?: string }> {
  if ("profileOf" in at) return { groupId: null };
  if ("libraryOf" in at) return { groupId: at.libraryOf };
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
